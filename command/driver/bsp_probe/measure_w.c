/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures supersteps in which only some processes compute, while the others wait for them. Where
 * processes share processors, such a superstep takes as long as the kernel needs to find a
 * processor for each, and to wake those that wait.
 */
#define _POSIX_C_SOURCE 199309L
#include <bsp.h>
#include <stdlib.h>
#include <time.h>

#include "measure.h"

enum { fewest_supersteps = 8, longest_series = 50 };

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Uses the processor for so many seconds, however often the kernel interrupts it. */
static void compute(double seconds) {
  const double until = processor_time() + seconds;
  while (processor_time() < until) {
  }
}

/* Tells whether this process computes, if `active` of them are drawn at random. All processes draw
 * the same. */
static int is_drawn(int active) {
  const int p = bsp_nprocs();
  int drawn = 0;
  for (int pid = 0, missing = active; pid < p; ++pid) {
    const int chosen = draw(p - pid) < missing;
    if (chosen) --missing;
    if (pid == bsp_pid()) drawn = chosen;
  }
  return drawn;
}

static double one_series(int active, double seconds, int supersteps) {
  bsp_sync();
  const double start = bsp_time();
  for (int i = 0; i < supersteps; ++i) {
    if (is_drawn(active)) compute(seconds);
    bsp_sync();
  }
  return (bsp_time() - start) / supersteps;
}

static int by_value(const void* left, const void* right) {
  const double x = *(const double*)left, y = *(const double*)right;
  return (x > y) - (x < y);
}

/* The mean of a series counts, because the kernel does not always find the best place. Of the
 * series the median counts, because others may disturb one of them. */
double measure_w(int active, double seconds) {
  double* const all = malloc((size_t)measure_series * sizeof *all);
  const int enough = (int)(longest_series * measure_seconds / seconds);
  for (int series = 0; series < measure_series; ++series)
    all[series] =
        one_series(active, seconds, enough > fewest_supersteps ? enough : fewest_supersteps);
  qsort(all, (size_t)measure_series, sizeof *all, by_value);
  const double median = all[measure_series / 2];
  free(all);
  return median;
}
