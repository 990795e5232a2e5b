// SPDX-License-Identifier: BSD-3-Clause
// Draws measured times over sizes.
#pragma once

#include <vector>

#include "bench/print.hpp"
#include "draw/plot.hpp"

namespace tutti::tools {

// Adds a median at a number of bytes, with its quartiles as an area if there are several samples.
void add_figures(draw::Curve& curve, double bytes, const Figures& figures);

// Returns a plot for each operation that has several sizes: medians with the quartiles as areas,
// beside those of the other library and the model, by placement.
[[nodiscard]] std::vector<draw::Plot> bench_curves(const BenchReport& report);

}  // namespace tutti::tools
