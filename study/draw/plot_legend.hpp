// SPDX-License-Identifier: BSD-3-Clause
// The legend of a plot, which stands below it and so covers no curve.
#pragma once

#include <span>
#include <string>

#include "draw/plot_look.hpp"
#include "draw/svg_pen.hpp"

namespace tutti::draw {

// Draws names with samples of their curves, in as many columns as fit, and the name of the
// diagonal if there is one. Returns where the legend ends.
double draw_legend(SvgPen& pen, double y, const Plot& plot, std::span<const CurveLook> looks);

// Returns the text in lines that are no wider than `most`.
[[nodiscard]] std::vector<std::string> lines_within(const std::string& text, double size,
                                                    double most);

}  // namespace tutti::draw
