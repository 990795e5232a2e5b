// SPDX-License-Identifier: BSD-3-Clause
// Chooses how short fragments for far readers are written: through the caches or past them.
// Processors differ by a factor of two in either direction (docs/internals/shared-memory.md,
// "Non-temporal stores for far readers"), so the choice is learned from measured times of writing
// and reading. The send arena uses it.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/tuning.hpp"

namespace tutti::transport::shm {

class StorePolicy {
 public:
  explicit StorePolicy(const base::Tuning& tuning) : tuning_(&tuning) {}

  struct Choice {
    bool non_temporal = false;
    bool timed = false;  // report the time to learn()
  };
  // Chooses the way of the next fragment, of at most Tuning::learn_to bytes.
  [[nodiscard]] Choice next(std::uint32_t bytes);
  // Records how long one fragment of `bytes` took to write and to read.
  void learn(std::uint32_t bytes, bool non_temporal, std::chrono::nanoseconds taken);

 private:
  // Times of fragments of one size class: up to 4, 8, 16 KiB, or longer.
  struct Size {
    double through = 0, past = 0;  // running means in ns per byte; 0: no sample yet
    std::int64_t fragments = 0;
  };
  [[nodiscard]] Size& size_of(std::uint32_t bytes);

  const base::Tuning* tuning_;
  Size sizes_[4];
};

}  // namespace tutti::transport::shm
