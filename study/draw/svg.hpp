// SPDX-License-Identifier: BSD-3-Clause
// Writes charts and pictures of rounds as SVG, for documents and for schedules that are too wide
// for text.
#pragma once

#include <string>

#include "draw/chart.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {

// Cells in which two messages meet are orange. Rows of a chart that would be higher than a screen
// are low, and their cells have shades instead of numbers.
[[nodiscard]] std::string chart_svg(const Chart& chart, const machine::Topology& topology,
                                    const std::string& title, Fit fit = Fit::screen);

// Draws one panel per step, or per run of equal steps. Lines, rings and crossbars: an arc for each
// message, those to higher ranks above. Other topologies: all links, the used ones as arrows,
// orange and with their load where it is more than 1; senders are filled.
[[nodiscard]] std::string rounds_svg(const traffic::Messages& messages,
                                     const machine::Topology& topology, const std::string& title,
                                     Fit fit = Fit::screen);

}  // namespace tutti::draw
