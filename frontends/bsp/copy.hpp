// SPDX-License-Identifier: BSD-3-Clause
// Copies of the data that supersteps move.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstddef>
#include <cstdint>
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

// Copies into a window. For short copies the library would only take the time of a call.
inline void write_window(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t least_long = 1024;
  if (bytes < least_long) {
    copy_bytes(to, from, bytes);
  } else {
    // It fails only where no window is.
    (void)tutti_window_write(to, from, static_cast<std::int64_t>(bytes));
  }
}

}  // namespace tutti::bsp
