// SPDX-License-Identifier: BSD-3-Clause
// The messages of a schedule, with their routes through a machine. Charts show them, and
// constraints and loads are computed from them.
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
  // True if the message carries data that its sender may have received or computed in an earlier
  // step.
  bool forwards = false;
  machine::Route route{};
};
using Messages = std::vector<Message>;

// Returns the messages of a generator, without routes. They are ordered by round, then by sender,
// then as in the sender's Program. Only rounds with messages count as steps.
[[nodiscard]] Messages messages_of(const schedule::Generator& generator,
                                   const schedule::Shape& shape);

// Returns one message, of step 1 and without a route, for each pair of ranks of which the first has
// data for the second.
[[nodiscard]] Messages pairs_of(schedule::Operation operation, const schedule::Shape& shape);

// Gives all messages the routes of the topology. Throws Error(invalid_argument) if the topology has
// too few nodes.
[[nodiscard]] Messages routed(Messages messages, const machine::Topology& topology);

[[nodiscard]] int last_step(const Messages& messages);

// Returns true if no rank sends, or receives, two messages in one step.
[[nodiscard]] bool one_port(const Messages& messages);

// Returns the messages with the steps in which they get their paths if ranks do not wait for each
// other's rounds. In each step each rank, the lowest first, takes the whole path of its next
// message if all links are free, and otherwise waits. Paper 004 draws its naive algorithm in this
// way. A node receives any number of messages at once. A message that forwards waits for all that
// its sender receives in earlier rounds.
[[nodiscard]] Messages granted(const Messages& messages, const machine::Topology& topology);

}  // namespace tutti::traffic
