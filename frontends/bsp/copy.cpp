// SPDX-License-Identifier: BSD-3-Clause
// Copies that are longer than a word (copy.hpp).
#include "copy.hpp"

#include <algorithm>
#include <cstdint>

namespace tutti::bsp {
namespace {

// memcpy of glibc before 2.39 moves longer data by `rep movsb`. On Zen 3 and Zen 4 that takes 16
// times as long if the destination lies 16 bytes above the source, counted modulo a page. This is
// the usual case between memory of malloc and of windows. Pieces of this length are moved by vector
// instructions, which are as fast everywhere.
constexpr std::size_t piece_bytes = 2048;

}  // namespace

void copy_in_pieces(void* to, const void* from, std::size_t bytes) {
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    std::size_t piece = std::min(bytes, piece_bytes);
    asm("" : "+r"(piece));  // if the compiler knew the bound, it would use `rep movsq` itself
    std::memcpy(out, in, piece);
    bytes -= piece;
    out += piece;
    in += piece;
  }
}

}  // namespace tutti::bsp
