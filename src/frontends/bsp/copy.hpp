// SPDX-License-Identifier: BSD-3-Clause
// Copies of what supersteps move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace tutti::bsp {

// memcpy of glibc before 2.39 moves what is longer by `rep movsb`. On Zen 3 and Zen 4 that takes 16 times as long where
// the destination lies 16 bytes above the source, counted modulo a page: the usual case between memory of malloc and of
// windows. Pieces of this length are moved by vector instructions, as fast everywhere.
constexpr std::size_t copy_piece = 2048;

// The two do not overlap. One word needs no call.
inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  if (bytes == 8) {
    std::memcpy(to, from, 8);
    return;
  }
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    std::size_t piece = std::min(bytes, copy_piece);
    asm("" : "+r"(piece));  // a bound that the compiler knew of would make it use `rep movsq` itself
    std::memcpy(out, in, piece);
    bytes -= piece;
    out += piece;
    in += piece;
  }
}

}  // namespace tutti::bsp
