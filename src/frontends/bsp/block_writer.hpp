// SPDX-License-Identifier: BSD-3-Clause
// Copies into blocks, by the way that is faster at present. Where the two processors share a cache,
// lines are best left in that of the writer; where they do not (a virtual machine may change that
// at any time, and does not tell), past all caches.
#pragma once

#include <cstddef>
#include <cstdint>

#include "copy.hpp"

namespace tutti::bsp {

class BlockWriter {
 public:
  void copy(std::byte* to, const void* from, std::size_t bytes) {
    if (bytes < least_long) {
      copy_bytes(to, from, bytes);
    } else {
      copy_long(to, from, bytes);
    }
  }

 private:
  // Of shorter copies the clock would be the greater part.
  static constexpr std::size_t least_long = 1024;
  void copy_long(std::byte* to, const void* from, std::size_t bytes);

  bool past_caches_ = false;
  std::uint64_t since_sample_ = 0;  // bytes
  std::uint64_t sampled_ = 0;
  std::int64_t sampled_ns_ = 0;
};

}  // namespace tutti::bsp
