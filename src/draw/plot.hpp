// SPDX-License-Identifier: BSD-3-Clause
// Draws measurements: curves on logarithmic axes, and values over a grid as colours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/svg_page.hpp"

namespace tutti::draw {

struct Axes {
  std::string x, y;
};

// Points have positive coordinates. A measured curve has a mark at each point. A computed curve is
// dashed and has the colour of the measured curve before it.
struct Curve {
  std::string name;
  std::vector<Point> points;
  enum class Kind { measured, computed } kind = Kind::measured;
};

// Both axes are logarithmic. Throws Error(invalid_argument) when there is no point, or one that is
// not positive.
[[nodiscard]] std::string curves_svg(std::span<const Curve> curves, const Axes& axes,
                                     const std::string& title);

// A positive value at a place of a grid.
struct Sample {
  double x = 1, y = 1;
  double value = 1;
};

// Draws a cell with the value of each sample, the redder the larger, on a logarithmic scale.
// Columns and rows are the different x and y, whatever their distances.
[[nodiscard]] std::string surface_svg(std::span<const Sample> samples, const Axes& axes,
                                      const std::string& title);

}  // namespace tutti::draw
