// SPDX-License-Identifier: BSD-3-Clause
// Copies of what supersteps move.
#pragma once

#include <cstddef>
#include <cstring>

namespace tutti::bsp {

// The two do not overlap.
void copy_in_pieces(void* to, const void* from, std::size_t bytes);

// The same, past all caches where the processor can. Others see it after drain_past_caches().
void copy_past_caches(void* to, const void* from, std::size_t bytes);
void drain_past_caches();

// The same as copy_in_pieces; one word needs no call.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else {
    copy_in_pieces(to, from, bytes);
  }
}

}  // namespace tutti::bsp
