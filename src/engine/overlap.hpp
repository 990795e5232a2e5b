// SPDX-License-Identifier: BSD-3-Clause
// How the two operands of a call lie to each other in memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "data/layout.hpp"

namespace tutti::engine {

// One side of an operation in the caller's memory.
struct CallOperand {
  void* address = nullptr;
  data::Layout layout;
  std::size_t element_bytes = 1;
};

enum class Overlap : std::uint8_t { apart, in_place, partly };

// `part` and the elements of `whole` from `first` on. in_place: element i of the one is element i
// of the other, and the rest of `whole` is elsewhere. Elements of both have the same size.
[[nodiscard]] Overlap overlap_of(const CallOperand& part, const CallOperand& whole,
                                 std::int64_t first);

}  // namespace tutti::engine
