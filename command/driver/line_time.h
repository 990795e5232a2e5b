/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the time of a cache line from one processor to another, with two processes that share
 * memory. The time tags every sample, because two processors of a virtual machine are sometimes
 * near each other and sometimes not. It is used by C and C++ code and needs no library.
 */
#ifndef TUTTI_BENCH_LINE_TIME_H
#define TUTTI_BENCH_LINE_TIME_H

#include <sched.h>
#include <stdint.h>
#include <time.h>

/* The counters must lie in zeroed shared memory. Each counter has a cache line of its own. */
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
         1e-9 * difftime(now.tv_nsec, 0); /* no cast, because C++ compiles it too */
}

/* Waits for the other side. Yields the processor if this takes very long, because the other side
 * may need it. */
static inline void tutti_bench_await(const uint64_t* counter, uint64_t wanted) {
  unsigned turns = 0;
  while (__atomic_load_n(counter, __ATOMIC_ACQUIRE) < wanted) {
    if ((++turns & 0x3fffU) == 0) sched_yield();
  }
}

/* Both sides (0 and 1) call this function equally often. Returns this side's one-way time in
 * microseconds. It is the best of a few short series, so that the time to wake a process does
 * not count. */
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

/* The distances of two processors, the nearest first. */
static const char* const tutti_bench_placements[] = {"sibling", "near", "mid", "far"};

/* Returns the placement that the times before and after a sample show. Two processes on one
 * processor take longer than any cache line. */
static inline const char* tutti_bench_placement(double before, double after) {
  const double low = before < after ? before : after;
  const double high = before < after ? after : before;
  if (high < 0.035) return "sibling";
  if (low >= 0.035 && high < 0.09) return "near";
  if (low >= 0.09 && high <= 0.15) return "mid";
  if (low > 0.15 && high < 0.6) return "far";
  return "mixed"; /* the processors changed meanwhile, or others disturbed */
}

#endif
