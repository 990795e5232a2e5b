// SPDX-License-Identifier: BSD-3-Clause
// Tests which copies of blocks go past the caches: those that took long through them by the row
// block_slow. The copies are counted and do nothing.
#include <tutti/tutti_runtime.h>

#include <cstdio>

#include "block_writer.hpp"

namespace {

int64_t bytes_per_ns = 8;
int past = 0;

// Returns how many of so many copies of 64 KiB go past the caches.
int past_caches(int64_t block_slow, int copies) {
  bytes_per_ns = block_slow;
  past = 0;
  tutti::bsp::BlockWriter writer;
  for (int i = 0; i < copies; ++i) writer.copy(nullptr, nullptr, 64 << 10);
  return past;
}

}  // namespace

int64_t tutti_tuning(const char* /*row*/) {
  return bytes_per_ns;
}

namespace tutti::bsp {
void copy_in_pieces(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {}
void copy_past_caches(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {
  ++past;
}
}  // namespace tutti::bsp

// No copy is slow by a row of one byte in a nanosecond, unless each of many is interrupted. By a
// large row each one is.
int effect_of_block_slow() {
  const int some = past_caches(1, 1000), all = past_caches(1 << 20, 1000);
  if (some < 500 && all > 900) return 0;
  std::printf("%d and %d of 1000 copies went past the caches\n", some, all);
  return 1;
}

int main() {
  return effect_of_block_slow();
}
