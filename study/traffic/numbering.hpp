// SPDX-License-Identifier: BSD-3-Clause
// Gives any set of messages steps in which no two of them meet on a link: a numbering of the marks
// of a chart (paper 004, sections 3 and 7).
#pragma once

#include <cstdint>

#include "traffic/constraints.hpp"
#include "traffic/message.hpp"

namespace tutti::traffic {

// The fewest steps that any numbering can have: a rank sends, and perhaps receives, one message in
// a step, and a link carries one.
struct StepBounds {
  int sends = 0;     // most messages that one rank sends
  int receives = 0;  // most that one receives; 0 if it may receive any number in a step
  int link = 0;      // most that have one link on their way
  [[nodiscard]] int least() const;
};
[[nodiscard]] StepBounds bounds_of(const Messages& messages, const machine::Topology& topology,
                                   Receiving receiving);

struct Effort {
  std::uint64_t seed = 1;
  int tries = 16;                // orders in which steps are filled
  std::int64_t moves = 200'000;  // of messages, to get along with fewer steps
};

// Returns the messages, which must have routes, with steps. There are few steps, but perhaps not
// the fewest. Equal arguments give equal steps. Throws Error(invalid_argument) if there are
// too many messages.
[[nodiscard]] Messages numbered(Messages messages, const machine::Topology& topology,
                                Receiving receiving, const Effort& effort = {});

}  // namespace tutti::traffic
