// SPDX-License-Identifier: BSD-3-Clause
// Draws the charts and pictures as SVG files, for documents and for schedules that are too wide for
// text.
#pragma once

#include <string>

#include "draw/chart.hpp"

namespace tutti::draw {

// Cells in which two messages meet are red.
[[nodiscard]] std::string chart_svg(const Chart& chart, const machine::Topology& topology,
                                    const std::string& title);

// One panel per step. Lines, rings and crossbars: an arc for each message, those to higher ranks
// above. Other topologies: all links, the used ones as arrows, red and with their load where it is
// more than 1; senders are filled.
[[nodiscard]] std::string rounds_svg(const traffic::Messages& messages,
                                     const machine::Topology& topology, const std::string& title);

}  // namespace tutti::draw
