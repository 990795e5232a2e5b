// SPDX-License-Identifier: BSD-3-Clause
// Reads schedules that people write: lists of pairs, and charts as paper 004 and `tutti draw` print
// them. tutti-verify(1) describes both.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traffic/message.hpp"

namespace tutti::traffic {

struct Reading {
  Messages messages;      // with routes: those of the file where it has them, else the topology's
  bool numbered = false;  // every message has the step of the file; else they all have step 1
  std::vector<std::string> problems;  // rows of a chart that are no path, or not of one step
};

// `origin` is what errors call the file. Throws Error(invalid_argument) with origin, line and what
// is not understood.
[[nodiscard]] Reading read_messages(const std::string& text, const std::string& origin,
                                    const machine::Topology& topology);

// The hypercube whose labels stand above the columns of a chart; null if the text is no such chart.
[[nodiscard]] std::unique_ptr<machine::Topology> topology_of_chart(const std::string& text);

}  // namespace tutti::traffic
