// SPDX-License-Identifier: BSD-3-Clause
// How short fragments for far readers are best written: through the caches or past them. Processors
// differ by a factor of two in either direction (decision 0030), so it is learned from what
// writing and reading them took.
#pragma once

#include <chrono>
#include <cstdint>

namespace tutti::transport::shm {

class StorePolicy {
 public:
  // Longer fragments go past the caches, wherever that has been measured.
  static constexpr std::uint32_t longest = 32 * 1024;

  struct Choice {
    bool non_temporal = false;
    bool timed = false;  // learn() is to hear of it
  };
  // For the next fragment, of at most `longest` bytes.
  [[nodiscard]] Choice next(std::uint32_t bytes);
  // To write and to read a fragment of so many bytes took so long.
  void learn(std::uint32_t bytes, bool non_temporal, std::chrono::nanoseconds taken);

 private:
  // Measurements of fragments of up to 4, 8, 16 and 32 KiB.
  struct Size {
    double through = 0, past = 0;  // running means, ns per byte; 0: none yet
    std::uint32_t fragments = 0;
  };
  [[nodiscard]] Size& size_of(std::uint32_t bytes);

  Size sizes_[4];
};

}  // namespace tutti::transport::shm
