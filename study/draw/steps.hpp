// SPDX-License-Identifier: BSD-3-Clause
// The steps of messages as pictures of rounds show them: equal steps in a row stand once. Text and
// SVG share this.
#pragma once

#include <string>
#include <vector>

#include "traffic/load.hpp"

namespace tutti::draw {

// Steps from first to last with the same messages on the same routes.
struct EqualSteps {
  int first = 1;
  int last = 1;
  traffic::Messages messages;  // those of one step
  traffic::StepLoad load{};
};

// The messages have routes.
[[nodiscard]] std::vector<EqualSteps> equal_steps(const traffic::Messages& messages,
                                                  const machine::Topology& topology);

// "step 3: 4 messages, at most 1 on a link"; "steps 1 to 6 (x 6): 4 messages each, ...".
[[nodiscard]] std::string heading(const EqualSteps& steps);

// The name of a node: its number without leading zeros, or its label where labels are no decimal
// numbers.
[[nodiscard]] std::string node_name(const machine::Topology& topology, int node);

}  // namespace tutti::draw
