// SPDX-License-Identifier: BSD-3-Clause
// The facts by which a call is known to repeat another one: then it needs no look-up, check or
// choice. Groups compare it with those of their bound calls.
#pragma once

#include <cstdint>
#include <span>

#include "engine/counts.hpp"

namespace tutti::engine {

class Plan;

struct Signature {
  // Stands for type, operator and the operands that are present; the caller defines it. 0: the call
  // is never known again.
  std::uint64_t what = 0;
  std::int64_t input_count = 0, output_count = 0;
  int root = 0;
  Cut cut = Cut::even;
  const Plan* plan = nullptr;  // nullptr: tutti chooses it
  // Counts of the ranks, where the call gives them.
  std::span<const std::int64_t> input_counts{}, output_counts{};

  // A number that differs for most calls, by its upper bits.
  [[nodiscard]] std::uint64_t hash() const {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U, rank = 1'000'003;
    const auto sum = what + static_cast<std::uint64_t>(root) * rank +
                     static_cast<std::uint64_t>(input_count * 7 + output_count) +
                     (reinterpret_cast<std::uintptr_t>(plan) >> 4);
    return sum * golden;
  }
};

// How the memory of a call lies. Operands that lie to each other as in a call that was checked may
// overlap as that one's did; `displacement` is the address of the output less that of the input.
struct Extent {
  std::uint64_t input_bytes = 0, output_bytes = 0;
  std::uintptr_t displacement = 0;

  [[nodiscard]] bool admits(const void* input, const void* output) const {
    const auto from = reinterpret_cast<std::uintptr_t>(input),
               to = reinterpret_cast<std::uintptr_t>(output);
    return to - from == displacement || from >= to + output_bytes || to >= from + input_bytes;
  }
};

}  // namespace tutti::engine
