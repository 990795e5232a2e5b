// SPDX-License-Identifier: BSD-3-Clause
// How short chunks for far readers are best written: through the caches or past them. Processors
// differ by a factor of two in either direction (docs/decisions/0030), so it is learned from what
// writing and reading them took.
#pragma once

#include <chrono>
#include <cstdint>

namespace tutti::transport::shm {

class Ways {
 public:
  // Longer chunks go past the caches, wherever that has been measured.
  static constexpr std::uint32_t longest = 32 * 1024;

  struct Choice {
    bool past_caches = false;
    bool timed = false;  // learn() is to hear of it
  };
  // For the next chunk, of at most `longest` bytes.
  [[nodiscard]] Choice next(std::uint32_t bytes);
  // To write and to read a chunk of so many bytes took so long.
  void learn(std::uint32_t bytes, bool past_caches, std::chrono::nanoseconds taken);

 private:
  // What is learned of chunks to 4, 8, 16 and 32 KiB.
  struct Size {
    double through = 0, past = 0;  // running means, ns per byte; 0: none yet
    std::uint32_t chunks = 0;
  };
  [[nodiscard]] Size& size_of(std::uint32_t bytes);

  Size sizes_[4];
};

}  // namespace tutti::transport::shm
