// SPDX-License-Identifier: BSD-3-Clause
// Drawings of figures: what is printed, computed or measured, as curves and points.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "draw/plot.hpp"

namespace tutti::papers {

struct Chart {
  std::string file;  // without ending
  std::string title;
  draw::Axes axes;
  std::vector<draw::Curve> curves;
  std::string drawn{};  // the SVG of a drawing that has no curves
};

// Returns axes from 0 on of numbers with these units, as draw::axis_of has them.
[[nodiscard]] draw::Axes linear_axes(const std::string& x, const std::string& y);

[[nodiscard]] std::string svg_of(const Chart& chart);
// Writes a file for each chart into the folder, which is made if it is not there. Throws
// base::Error if a file cannot be written.
void write_charts(const std::vector<Chart>& charts, const std::filesystem::path& folder);

}  // namespace tutti::papers
