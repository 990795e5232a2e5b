// SPDX-License-Identifier: BSD-3-Clause
// How a vector that is cut by rank is cut: evenly, or by counts of elements. Counts may be known
// everywhere, on both ends of each message, or at the root alone.
#pragma once

#include <cstdint>
#include <span>

namespace tutti::engine {

enum class Cut : std::uint8_t {
  even,       // every rank has as many elements; other vectors, in parts that differ by one at most
  by_counts,  // as the counts say
  own_only    // by counts that this rank does not know: it touches nothing but its own part
};

// One count per rank: of the parts of the input, of the output, or of both, where they differ
// (complete exchange).
struct RankCounts {
  Cut cut = Cut::even;
  std::span<const std::int64_t> input{};
  std::span<const std::int64_t> output{};
};

}  // namespace tutti::engine
