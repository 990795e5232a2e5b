/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long a cache line takes from one processor to the other, measured by two processes that share
 * memory. The value tags every sample, because the two processors of a virtual machine are
 * sometimes near each other and sometimes not. For C and C++, without any library.
 */
#ifndef TUTTI_BENCH_LINE_TIME_H
#define TUTTI_BENCH_LINE_TIME_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

/* In shared memory, zeroed. Each counter has a line of its own. */
typedef struct {
  uint64_t counter;
  uint64_t unused[7];
} tutti_bench_line;
typedef struct {
  tutti_bench_line side[2];
} tutti_bench_lines;

static inline double tutti_bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return difftime(now.tv_sec, 0) +
         1e-9 * difftime(now.tv_nsec, 0); /* no cast, so that C++ takes it too */
}

/* Waits for the other side; gives the processor away when that takes very long, since the other may
 * need it. */
static inline void tutti_bench_await(const uint64_t* counter, uint64_t wanted) {
  unsigned turns = 0;
  while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < wanted) {
    if ((++turns & 0x3fffU) == 0) sched_yield();
  }
}

/* Called by both sides (0 and 1) the same number of times. Returns the one-way time in
 * microseconds: the best of a few short series, so that a process that had to be woken first does
 * not count. The value is that of this side. */
static inline double tutti_bench_line_time(tutti_bench_lines* lines, int side) {
  enum { series = 4, turns = 100 };
  uint64_t* own = &lines->side[side].counter;
  const uint64_t* other = &lines->side[1 - side].counter;
  uint64_t count = *own;
  double best = 1e9;
  for (int s = 0; s < series; ++s) {
    const double start = tutti_bench_seconds();
    for (int i = 0; i < turns; ++i) {
      ++count;
      if (side == 0) {
        __atomic_store_n(own, count, __ATOMIC_RELEASE);
        tutti_bench_await(other, count);
      } else {
        tutti_bench_await(other, count);
        __atomic_store_n(own, count, __ATOMIC_RELEASE);
      }
    }
    const double one_way = (tutti_bench_seconds() - start) * 1e6 / (2 * turns);
    if (one_way < best) best = one_way;
  }
  return best;
}

/* Where two processors may lie to each other, the nearest first. */
static const char* const tutti_bench_placements[] = {"sibling", "near", "mid", "far"};

/* From the times before and after a sample. Two processes on one processor take longer than any
 * line does. */
static inline const char* tutti_bench_placement(double before, double after) {
  const double low = before < after ? before : after;
  const double high = before < after ? after : before;
  if (high < 0.035) return "sibling";
  if (low >= 0.035 && high < 0.09) return "near";
  if (low >= 0.09 && high <= 0.15) return "mid";
  if (low > 0.15 && high < 0.6) return "far";
  return "mixed"; /* the processors changed their places meanwhile, or others disturbed */
}

#endif
