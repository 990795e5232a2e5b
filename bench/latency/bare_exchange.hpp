// SPDX-License-Identifier: BSD-3-Clause
// The yardstick of the latency bench: both of two processes write a cache line and read the
// other's. No library.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "common/line_time.h"

namespace tutti::bench {

// The parts that a message of 8 bytes needs: its payload, and its number.
struct alignas(64) BareLine {
  std::atomic<std::uint64_t> sequence;
  double payload;
};

// Zeroed memory that both processes see. Each rank has two lines and uses them in turn: a rank that
// is one exchange ahead must not overwrite what the other has not read yet.
struct BareShared {
  BareLine lines[2][2];
  alignas(64) tutti_bench_lines probe;
};

class BareExchange {
 public:
  BareExchange(BareShared& shared, int rank) : shared_(&shared), rank_(rank) {}

  // Gives `value` to the other rank and returns what the other gave.
  double exchange(double value) {
    ++sequence_;
    BareLine& own = shared_->lines[rank_][sequence_ % 2];
    own.payload = value;
    own.sequence.store(sequence_, std::memory_order_release);
    const BareLine& other = shared_->lines[1 - rank_][sequence_ % 2];
    unsigned turns = 0;
    while (other.sequence.load(std::memory_order_acquire) != sequence_) {
      if ((++turns & 0x3fffU) == 0) sched_yield();
    }
    return other.payload;
  }

  // One way, in microseconds. Both ranks call it.
  double line_time() { return tutti_bench_line_time(&shared_->probe, rank_); }

 private:
  BareShared* shared_;
  int rank_;
  std::uint64_t sequence_ = 0;
};

}  // namespace tutti::bench
