/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures what a job costs besides the time in its calls. Rank 0 prints one JSON object on
 * standard output. bench_limits.py starts it with one of:
 *   start           does nothing: joins, meets the others once, leaves
 *   memory          measures the shared memory that has pages, after all collectives with up to
 *                   2 MiB a process
 *   waiting BYTES   measures the processor time of processes that wait for a sleeping one, as
 *                   part of the time that they wait
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/driver.h"
#include "limits/shared_kib.h"

enum { sleep_ms = 100, rounds = 3, largest_elements = 1 << 18 };

static int me, p;

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Returns buffers for all operations with parts of n elements. */
static bench_memory memory_for(int64_t n) {
  const size_t elements = (size_t)n * (size_t)p;
  const bench_memory made = {.input = calloc(elements, sizeof(double)),
                             .output = calloc(elements, sizeof(double)),
                             .me = me,
                             .p = p};
  if (made.input == NULL || made.output == NULL) {
    fprintf(stderr, "bench_limits: no memory for two vectors of %zu doubles\n", elements);
    library_abort();
  }
  return made;
}

static void give_back(const bench_memory* memory) {
  free(memory->input);
  free(memory->output);
}

/* Rank 0 has the data that the others need, so it is the root of operations that send data out,
 * and not of those that collect data. */
static void call(int op) {
  const int to_one = bench_operations[op].output == at_root;
  if (library_call(op, to_one ? p - 1 : 0) != 0) library_abort();
}

static void memory(void) {
  for (int64_t n = 1; n <= largest_elements; n *= 8) {
    const bench_memory on = memory_for(n);
    for (int op = 0; op < bench_operation_count; ++op) {
      const bench_cell cell = {op, n};
      library_prepare(&cell, &on);
      for (int round = 0; round < rounds; ++round) call(op);
    }
    give_back(&on);
  }
  library_barrier(); /* all have received what was sent */
  const double sum = library_sum(shared_kib());
  if (me == 0) printf("{\"processes\": %d, \"shared_mib_per_process\": %.3f}\n", p, sum / 1024 / p);
}

/* Adds the time that this process waited for rank 0, and the processor time that it used
 * meanwhile. */
static void wait_once(int op, double* waited, double* computed) {
  const struct timespec pause = {0, sleep_ms * 1000000L};
  call(op);
  library_barrier();
  const double began = seconds_of(CLOCK_MONOTONIC), before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  if (me == 0) nanosleep(&pause, NULL);
  call(op);
  const double took = seconds_of(CLOCK_MONOTONIC) - began;
  if (me == 0 || took < 0.5e-3 * sleep_ms) return; /* this process needed no data of rank 0 */
  *waited += took;
  *computed += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before;
}

static void waiting(int64_t bytes) {
  const int64_t n = bytes / (int64_t)sizeof(double);
  const bench_memory on = memory_for(n);
  for (int op = 0; op < bench_operation_count; ++op) {
    const bench_cell cell = {op, n};
    double waited = 0, computed = 0;
    library_prepare(&cell, &on);
    for (int round = 0; round < rounds; ++round) wait_once(op, &waited, &computed);
    waited = library_sum(waited);
    computed = library_sum(computed);
    if (me == 0 && waited > 0) {
      printf(
          "{\"processes\": %d, \"operation\": \"%s\", \"bytes\": %lld, \"busy_percent\": %.3f}\n",
          p, bench_operations[op].name, (long long)bytes, 100 * computed / waited);
    }
  }
  give_back(&on);
}

int main(int count, char** words) {
  if (library_start(&me, &p) != 0) return 1;
  if (count == 2 && strcmp(words[1], "start") == 0) {
    library_barrier();
  } else if (count == 2 && strcmp(words[1], "memory") == 0) {
    memory();
  } else if (count == 3 && strcmp(words[1], "waiting") == 0 &&
             atoll(words[2]) >= (long long)sizeof(double)) {
    waiting(atoll(words[2]));
  } else {
    fprintf(stderr, "bench_limits: start, memory or waiting BYTES (8 or more), not '%s'\n",
            count > 1 ? words[1] : "");
    return 2;
  }
  library_finish();
  return 0;
}
