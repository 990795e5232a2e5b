// SPDX-License-Identifier: BSD-3-Clause
// The messages of a schedule with their way through a machine: what charts show and what meets on
// links.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/topology.hpp"
#include "schedule/generator.hpp"

namespace tutti::traffic {

struct Message {
  int step = 1;  // counted from 1
  int from = 0;
  int to = 0;
  std::int64_t blocks = 1;
  bool forwards =
      false;  // it carries what its sender may have received or computed in an earlier step
  machine::Route route{};
};
using Messages = std::vector<Message>;

// In the order of the rounds, in a round by sender, of one sender as its Program lists them. Steps
// are the rounds in which there are messages. Without routes.
[[nodiscard]] Messages messages_of(const schedule::Generator& generator,
                                   const schedule::Shape& shape);

// Returns one message, of step 1, for each pair of ranks with data for each other. The messages
// have no routes.
[[nodiscard]] Messages pairs_of(schedule::Operation operation, const schedule::Shape& shape);

// Gives all messages the routes of the topology. Throws Error(invalid_argument) if it has fewer
// nodes than needed.
[[nodiscard]] Messages routed(Messages messages, const machine::Topology& topology);

[[nodiscard]] int last_step(const Messages& messages);

// Returns true if no rank sends, or receives, two messages in one step.
[[nodiscard]] bool one_port(const Messages& messages);

// Returns the same messages when paths are granted instead of rounds kept. In each step the ranks,
// the lowest first, take the whole path of their next message if all of its links are free, and
// otherwise wait. Paper 004 draws its naive algorithm so. A node receives any number of messages at
// once. A message that forwards waits for all messages that its sender receives in earlier rounds.
[[nodiscard]] Messages granted(const Messages& messages, const machine::Topology& topology);

}  // namespace tutti::traffic
