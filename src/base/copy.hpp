// SPDX-License-Identifier: BSD-3-Clause
// Copies memory without memcpy's slow cases: the call for a single number, `rep movsb` where the
// processor executes it slowly, and long data of another processor, of which more lines could be
// on their way.
#pragma once

#include <cstddef>
#include <cstring>

#include "base/tuning.hpp"

namespace tutti::base {

// From this length on, glibc's memcpy may use `rep movsb`.
inline constexpr std::size_t long_copy_bytes = 2048;

// Copies at least long_copy_bytes between memory that does not overlap.
void copy_long(void* to, const void* from, std::size_t bytes);

// Copies what another processor has written.
void copy_arrived(void* to, const void* from, std::size_t bytes);

// These say how copies of so many bytes are made, unless their addresses make another way faster.
[[nodiscard]] bool is_copied_in_pieces(std::size_t bytes);
[[nodiscard]] bool is_read_in_turn(std::size_t bytes);

// Takes the rules of all copies from these rows. They belong to the processor, so all jobs of a
// process have the same.
void set_copy_rules(const Tuning& tuning);

// Copies bytes between memory that does not overlap. If `bytes` is 0, the addresses may be
// anything.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else if (bytes > long_copy_bytes) {
    copy_long(to, from, bytes);
  } else if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace tutti::base
