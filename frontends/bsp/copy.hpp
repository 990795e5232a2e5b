// SPDX-License-Identifier: BSD-3-Clause
// Copies of the data that supersteps move.
#pragma once

#include <cstddef>
#include <cstring>

namespace tutti::bsp {

// Copies memory that does not overlap, in pieces that memcpy moves fast.
void copy_in_pieces(void* to, const void* from, std::size_t bytes);

// Copies like copy_in_pieces, but one word without a call.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);
  } else {
    copy_in_pieces(to, from, bytes);
  }
}

}  // namespace tutti::bsp
