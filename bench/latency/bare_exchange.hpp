// SPDX-License-Identifier: BSD-3-Clause
// The reference of the latency bench: each of two processes writes a cache line and reads the
// other's. It needs no library.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "driver/line_time.h"

namespace tutti::bench {

// The parts of an 8-byte message that are necessary: its payload and its number.
struct alignas(64) BareLine {
  std::atomic<std::uint64_t> sequence;
  double payload;
};

// Zeroed memory that both processes share. Each rank has two lines and uses them in turn, because a
// rank that is one exchange ahead must not overwrite a line that the other has not read yet.
struct BareShared {
  BareLine lines[2][2];
  alignas(64) tutti_bench_lines probe;
};

class BareExchange {
 public:
  BareExchange(BareShared& shared, int rank) : shared_(&shared), rank_(rank) {}

  // Gives `value` to the other rank and returns the other rank's value.
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

  // Returns the one-way time in microseconds. Both ranks call it.
  double line_time() { return tutti_bench_line_time(&shared_->probe, rank_); }

 private:
  BareShared* shared_;
  int rank_;
  std::uint64_t sequence_ = 0;
};

}  // namespace tutti::bench
