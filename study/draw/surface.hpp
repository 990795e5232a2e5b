// SPDX-License-Identifier: BSD-3-Clause
// Draws values over a grid as colours.
#pragma once

#include <span>
#include <string>

#include "draw/plot.hpp"

namespace tutti::draw {

// A positive value at a place of a grid.
struct Sample {
  double x = 1, y = 1;
  double value = 1;
};

// Draws a cell with the value of each sample, the redder the larger, on a logarithmic scale.
// Columns and rows are the different x and y, whatever their distances. Throws
// Error(invalid_argument) if there is no sample, or one whose value is not positive.
[[nodiscard]] std::string surface_svg(std::span<const Sample> samples, const Axes& axes,
                                      const std::string& title);

}  // namespace tutti::draw
