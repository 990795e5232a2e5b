// SPDX-License-Identifier: BSD-3-Clause
// Lists of pairs, the second format of chart_file.hpp. A line is `[step:] source -> destination`,
// with all nodes between them if the route is not the topology's, or `[step:] a -- b` for both
// directions.
#pragma once

#include "traffic/chart_file.hpp"
#include "traffic/text.hpp"

namespace tutti::traffic {

// Reads a list of pairs; read_messages() calls it.
[[nodiscard]] Reading read_pairs(const std::vector<TextLine>& lines, const std::string& origin,
                                 const machine::Topology& topology);

}  // namespace tutti::traffic
