// SPDX-License-Identifier: BSD-3-Clause
// Copies of what supersteps move.
#pragma once

#include <cstddef>
#include <cstring>

namespace tutti::bsp {

// The two do not overlap.
void copy_in_pieces(void* to, const void* from, std::size_t bytes);

// The same; one word needs no call.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else {
    copy_in_pieces(to, from, bytes);
  }
}

}  // namespace tutti::bsp
