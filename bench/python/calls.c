// SPDX-License-Identifier: BSD-3-Clause
// Times allreduces in C, from a library that bench/python/calls.py loads into Python. The loop
// calls the same libtutti, in the same job, as the module tutti of Python, so that the difference
// is what Python costs.
#include <stdint.h>
#include <time.h>
#include <tutti/tutti.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Sums `elements` doubles of all ranks `calls` times. Returns the seconds of one call, or a
// negative number if a call fails.
double tutti_bench_allreduce(double* input, double* output, int64_t elements, int calls);
double tutti_bench_allreduce(double* input, double* output, int64_t elements, int calls) {
  const tutti_data in = tutti_array(input, elements, TUTTI_DOUBLE),
                   out = tutti_array(output, elements, TUTTI_DOUBLE);
  const double begin = now();
  for (int i = 0; i < calls; i++)
    if (tutti_allreduce(tutti_world(), &in, &out, TUTTI_SUM) != TUTTI_OK) return -1;
  return (now() - begin) / calls;
}
