// SPDX-License-Identifier: BSD-3-Clause
// Draws measurements: curves and points on two axes, and values over a grid as colours.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "draw/svg_page.hpp"

namespace tutti::draw {

// Linear axes begin at 0. With `semilogarithmic` x is linear and y is logarithmic.
enum class Scale { logarithmic, linear, semilogarithmic };

struct Axes {
  std::string x, y;
  Scale scale = Scale::logarithmic;
};

// A measured curve has a mark at each point, and a plain one has none. Circles and crosses are
// points without a line. Crosses, fits and computed curves have the colour of the curve before
// them; a fit is a thin line, and a computed curve is dashed. From the eighth on, colours repeat,
// and the lines have dots between their dashes.
struct Curve {
  std::string name;
  std::vector<Point> points;
  enum class Kind { measured, plain, circles, crosses, fit, computed } kind = Kind::measured;
};

// Throws Error(invalid_argument) when there is no point, or one that cannot stand on the axes: a
// number that is not positive on logarithmic ones, or a negative one on linear ones.
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
