// SPDX-License-Identifier: BSD-3-Clause
// Finds which messages meet on which link. The pictures of draw/ and the tools use it.
#pragma once

#include <string>
#include <vector>

#include "traffic/message.hpp"

namespace tutti::traffic {

// The load of one step: how many messages it has, and how many of them the busiest link carries.
// `link` is the first such link, with node -1 if no link is used.
struct StepLoad {
  int step;
  int messages;
  int most;
  machine::Link link;
};
// Returns one entry per step, 1 .. last_step. The messages must have routes.
[[nodiscard]] std::vector<StepLoad> loads(const Messages& messages,
                                          const machine::Topology& topology);

// Returns the largest `most`, 0 without messages.
[[nodiscard]] int most_load(const Messages& messages, const machine::Topology& topology);

// Two or more messages on one link in one step, ordered by their pairs of ranks.
struct Conflict {
  int step;
  machine::Link link;
  Messages messages;
};
[[nodiscard]] std::vector<Conflict> conflicts(const Messages& messages);

// Text such as "step 3, link 010->000: messages 011->000 and 010->100".
[[nodiscard]] std::string to_text(const Conflict& conflict, const machine::Topology& topology);
[[nodiscard]] std::string to_text(const Message& message, const machine::Topology& topology);

// Returns the fewest steps between two uses of one link, 0 if no link is used in two steps. A
// schedule with 2 or more tolerates that ranks drift apart by a step (paper 004, 4.2: stable).
[[nodiscard]] int least_gap(const Messages& messages);

}  // namespace tutti::traffic
