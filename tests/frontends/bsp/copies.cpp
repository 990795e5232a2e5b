// SPDX-License-Identifier: BSD-3-Clause
// Tests the copies of BSPlib: every length around the limits of the methods, at every position in a
// cache line.
#include <cstdio>
#include <vector>

#include "copy.hpp"

namespace {

constexpr std::size_t room = 10000;

template <class Copy>
bool right(const Copy& copy, std::size_t to, std::size_t from, std::size_t bytes) {
  std::vector<std::byte> source(room), target(room, std::byte{0xee});
  for (std::size_t i = 0; i < room; ++i) source[i] = static_cast<std::byte>(i * 7 + (i >> 8));
  copy(target.data() + to, source.data() + from, bytes);
  for (std::size_t i = 0; i < room; ++i) {
    const bool inside = i >= to && i < to + bytes;
    if (target[i] != (inside ? source[i - to + from] : std::byte{0xee})) return false;
  }
  return true;
}

}  // namespace

int main() {
  for (const std::size_t bytes :
       {0, 1, 7, 8, 9, 63, 64, 65, 130, 1023, 1024, 2047, 2048, 2049, 4096, 6001, 8192}) {
    for (std::size_t place = 0; place < 64; place += 3) {
      if (right(tutti::bsp::copy_bytes, place, 16, bytes)) continue;
      std::printf("%zu bytes to place %zu are copied wrong\n", bytes, place);
      return 1;
    }
  }
  return 0;
}
