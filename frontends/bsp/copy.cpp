// SPDX-License-Identifier: BSD-3-Clause
// Copies that are longer than a word (copy.hpp).
#include "copy.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

#if defined(__SSE2__)

void copy_past_caches(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t line = 64;
  auto* out = static_cast<std::byte*>(to);
  const auto* in = static_cast<const std::byte*>(from);
  const std::size_t head =
      std::min(bytes, (line - reinterpret_cast<std::uintptr_t>(out) % line) % line);
  std::memcpy(out, in, head);
  std::size_t at = head;
  for (; bytes - at >= line; at += line) {
    for (std::size_t part = at; part < at + line; part += sizeof(__m128i)) {
      const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + part));
      _mm_stream_si128(reinterpret_cast<__m128i*>(out + part), words);
    }
  }
  std::memcpy(out + at, in + at, bytes - at);
}

void drain_past_caches() {
  _mm_sfence();
}

#else

void copy_past_caches(void* to, const void* from, std::size_t bytes) {
  copy_in_pieces(to, from, bytes);
}

void drain_past_caches() {}

#endif

}  // namespace tutti::bsp
