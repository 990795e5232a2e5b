// SPDX-License-Identifier: BSD-3-Clause
// Compares where the two operands of a call lie in memory, for the checks of its arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "data/layout.hpp"

namespace tutti::engine {

// An input or output in the caller's memory.
struct CallOperand {
  void* address = nullptr;
  data::Layout layout;
  std::size_t element_bytes = 1;
};

enum class Overlap : std::uint8_t { apart, in_place, partly };

// Compares `part` with the elements of `whole` from `first` on. in_place means that element i of
// one is element i of the other and that the rest of `whole` lies elsewhere. Elements of both have
// the same size.
[[nodiscard]] Overlap overlap_of(const CallOperand& part, const CallOperand& whole,
                                 std::int64_t first);

// Returns true if elements of the operand may lie in this memory.
[[nodiscard]] bool may_meet(const CallOperand& operand, std::span<const std::byte> memory);

}  // namespace tutti::engine
