// SPDX-License-Identifier: BSD-3-Clause
// Counts what a plan costs processes that share memory: the terms of the price in
// selection/host_price.hpp. It counts over the normal form of the Programs, which the engine
// executes.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::schedule {

// The work of ranks, in blocks and messages.
struct Work {
  std::int64_t written = 0;   // blocks copied into shared memory: once for each send, however many
                              // ranks read them
  std::int64_t read = 0;      // blocks copied out by plain receives
  std::int64_t combined = 0;  // blocks combined, once per operand beyond the first
  std::int64_t copied = 0;    // blocks copied within a rank
  std::int64_t posted = 0;    // messages sent; one for each receiver
  std::int64_t taken = 0;     // messages received
  friend bool operator==(const Work&, const Work&) = default;
};

// Returns the work of a rank in each round.
[[nodiscard]] std::vector<Work> work_of_rank(const Generator& generator, const Shape& shape,
                                             Rank rank);

struct HostCounts {
  // Along the rounds: the sum, over rounds, of the most of each kind that any one rank does.
  Work path;
  Work total;  // of all ranks
  // Rounds in which a rank waits for a message: the sum over all ranks, and the number of rounds in
  // which some rank waits.
  std::int64_t waits = 0;
  std::int64_t rounds = 0;
  friend bool operator==(const HostCounts&, const HostCounts&) = default;
};

// Builds the Programs of all ranks, so its time grows with p times the number of rounds. It builds
// one Program only if the generator says that all ranks work alike.
[[nodiscard]] HostCounts host_counts(const Generator& generator, const Shape& shape);

}  // namespace tutti::schedule
