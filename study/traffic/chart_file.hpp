// SPDX-License-Identifier: BSD-3-Clause
// Reads schedules that people write: lists of pairs, and charts as paper 004 and `tutti draw` print
// them. tutti-verify(1) describes both formats, and `tutti verify` uses this reader.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traffic/message.hpp"

namespace tutti::traffic {

struct Reading {
  Messages messages;                  // with routes: the file's own, else the topology's
  bool numbered = false;              // messages have the steps of the file; else all have step 1
  std::vector<std::string> problems;  // rows of a chart that are not one path in one step
};

// Reads a list of pairs or a chart. `origin` is the name of the file in errors. Throws
// Error(invalid_argument) with origin, line and what is not understood.
[[nodiscard]] Reading read_messages(const std::string& text, const std::string& origin,
                                    const machine::Topology& topology);

// Returns the hypercube whose labels stand above the columns of a chart; null if the text is no
// such chart.
[[nodiscard]] std::unique_ptr<machine::Topology> topology_of_chart(const std::string& text);

}  // namespace tutti::traffic
