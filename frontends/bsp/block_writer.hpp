// SPDX-License-Identifier: BSD-3-Clause
// Copies data into blocks through the caches or by non-temporal stores, whichever is faster now. If
// writer and reader share a cache, data are best left in it; otherwise non-temporal stores win. A
// virtual machine may move processors at any time without notice, so the choice is measured again
// and again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "copy.hpp"
#include "rows.hpp"

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
  // For shorter copies, reading the clock would take longer than the copy.
  static constexpr std::size_t least_long = 1024;
  void copy_long(std::byte* to, const void* from, std::size_t bytes);

  std::uint64_t slow_bytes_per_ns_ = row("block_slow");
  bool past_caches_ = false;
  std::uint64_t since_sample_ = 0;  // bytes since the last sample
  std::uint64_t sampled_ = 0;
  std::int64_t sampled_ns_ = 0;
};

}  // namespace tutti::bsp
