// SPDX-License-Identifier: BSD-3-Clause
// The messages of a graph in rounds, for pictures. Nothing says what the messages mean, so these
// rounds are no schedule of an operation.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/matched_graph.hpp"

namespace tutti::formats {

// A message of a graph in its round, counted from 0.
struct RoundMessage {
  int round = 0;
  int from = 0, to = 0;  // ranks
  std::int64_t bytes = 0;
};

struct MessageRounds {
  int p = 0;
  int rounds = 0;
  std::vector<RoundMessage> messages;  // by round, then by sender
};

// Gives each message the first round after all that its send waits for. Two messages of one stream
// to another one have different rounds. If the tags can be rounds, they are.
[[nodiscard]] MessageRounds rounds_of(const MatchedGraph& graph);

}  // namespace tutti::formats
