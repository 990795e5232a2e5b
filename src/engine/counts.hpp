// SPDX-License-Identifier: BSD-3-Clause
// How a vector is divided among the ranks: evenly, or by a count of elements for each rank. All
// ranks may know the counts, or only the two ends of each message, or the root alone. Arguments and
// memory use it.
#pragma once

#include <cstdint>
#include <span>

namespace tutti::engine {

enum class Cut : std::uint8_t {
  // Every rank has equally many elements. A vector that is not cut by rank has parts whose sizes
  // differ by one at most.
  even,
  by_counts,  // by RankCounts
  own_only    // by counts that this rank does not know: it touches nothing but its own part
};

// One count per rank for the parts of the input, of the output, or of both where they differ
// (complete exchange).
struct RankCounts {
  Cut cut = Cut::even;
  bool known_everywhere = false;  // every rank gives all counts, also in gather and scatter
  std::span<const std::int64_t> input{};
  std::span<const std::int64_t> output{};
};

}  // namespace tutti::engine
