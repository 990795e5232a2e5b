// SPDX-License-Identifier: BSD-3-Clause
// Copies memory without memcpy's two slow cases: the call for a single number, and `rep movsb`
// where the processor executes it slowly.
#pragma once

#include <cstddef>
#include <cstring>

namespace tutti::base {

// From this length on, glibc's memcpy may use `rep movsb`.
inline constexpr std::size_t long_copy_bytes = 2048;

// Copies at least long_copy_bytes between memory that does not overlap.
void copy_long(void* to, const void* from, std::size_t bytes);

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
