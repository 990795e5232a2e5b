// SPDX-License-Identifier: BSD-3-Clause
// Copies long memory without a weakness of `rep movsb`. The measurements are in
// docs/internals/shared-memory.md, "Copies around slow instructions".
#include "base/copy.hpp"

#include <algorithm>
#include <cstdint>

namespace tutti::base {
namespace {

// On AMD's Zen 3 and 4, `rep movsb` takes 16 times as long if the destination lies 1 to 31 bytes
// above the source, modulo a page. This case is common: memory of malloc begins 16 bytes into a
// page, shared memory at the start of one.
constexpr std::uintptr_t page_bytes = 4096, crawling_bytes = 31;
// Up to this size, vector instructions are faster on every processor, because `rep movsb` has a
// long start-up.
constexpr std::size_t in_pieces = 8 * 1024;

bool crawls(const void* to, const void* from) {
  const std::uintptr_t above =
      reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  return (above - 1) % page_bytes < crawling_bytes;
}

}  // namespace

void copy_long(void* to, const void* from, std::size_t bytes) {
  if (bytes > in_pieces && !crawls(to, from)) {
    std::memcpy(to, from, bytes);
    return;
  }
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    std::size_t piece = std::min(bytes, long_copy_bytes);
    asm("" : "+r"(piece));  // hides the length, or the compiler may emit a `rep movs` of its own
    std::memcpy(out, in, piece);
    out += piece;
    in += piece;
    bytes -= piece;
  }
}

}  // namespace tutti::base
