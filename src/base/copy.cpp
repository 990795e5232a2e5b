// SPDX-License-Identifier: BSD-3-Clause
// Copies long memory without a weakness of `rep movsb`. The measurements are in
// docs/internals/shared-memory.md, "Copies around slow instructions".
#include "base/copy.hpp"

#include <algorithm>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tutti::base {
namespace {

// On AMD's Zen 3 and 4, `rep movsb` takes 16 times as long if the destination lies 1 to 31 bytes
// above the source, modulo a page. This case is common: memory of malloc begins 16 bytes into a
// page, shared memory at the start of one.
constexpr std::uintptr_t page_bytes = 4096, crawling_bytes = 31;

struct CopyRules {
  std::size_t pieces_to = static_cast<std::size_t>(Tuning{}.copy_pieces_to);
  bool pages_in_turn = false;
};
CopyRules rules;

// So many pages have lines on their way at once. Within one page the processor itself asks for
// fewer.
constexpr std::size_t pages = 4, group = pages * page_bytes;

#if defined(__x86_64__)
// Copies whole groups of pages and returns how many bytes they have.
__attribute__((target("avx512f"))) std::size_t copy_pages(std::byte* to, const std::byte* from,
                                                          std::size_t bytes) {
  constexpr std::size_t line = 64;
  std::size_t done = 0;
  for (; done + group <= bytes; done += group) {
    for (std::size_t at = done; at < done + page_bytes; at += 2 * line) {
      for (std::size_t page = 0; page < pages; ++page) {
        const std::size_t here = at + page * page_bytes;
        const __m512i one = _mm512_loadu_si512(from + here);
        const __m512i two = _mm512_loadu_si512(from + here + line);
        _mm512_storeu_si512(to + here, one);
        _mm512_storeu_si512(to + here + line, two);
      }
    }
  }
  return done;
}
bool has_instructions() {
  return __builtin_cpu_supports("avx512f") != 0;
}
#else
std::size_t copy_pages(std::byte*, const std::byte*, std::size_t) {
  return 0;
}
bool has_instructions() {
  return false;
}
#endif

bool crawls(const void* to, const void* from) {
  const std::uintptr_t above =
      reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  return (above - 1) % page_bytes < crawling_bytes;
}

}  // namespace

bool is_copied_in_pieces(std::size_t bytes) {
  return bytes <= rules.pieces_to;
}

bool is_read_in_turn(std::size_t bytes) {
  return rules.pages_in_turn && bytes >= group;
}

void copy_long(void* to, const void* from, std::size_t bytes) {
  if (!is_copied_in_pieces(bytes) && !crawls(to, from)) {
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

void copy_arrived(void* to, const void* from, std::size_t bytes) {
  auto* const out = static_cast<std::byte*>(to);
  const auto* const in = static_cast<const std::byte*>(from);
  const std::size_t done = is_read_in_turn(bytes) ? copy_pages(out, in, bytes) : 0;
  copy_bytes(out + done, in + done, bytes - done);
}

void set_copy_rules(const Tuning& tuning) {
  rules.pieces_to = static_cast<std::size_t>(tuning.copy_pieces_to);
  rules.pages_in_turn = tuning.copy_pages != 0 && has_instructions();
}

}  // namespace tutti::base
