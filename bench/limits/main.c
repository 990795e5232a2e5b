/* SPDX-License-Identifier: BSD-3-Clause
 * What a job costs besides time in its calls; one JSON object on standard output, by rank 0.
 *   start             nothing: joins, meets the others once, leaves
 *   memory            shared memory with pages behind it, after all collectives with up to 2 MiB a process
 *   waiting BYTES     processor time of processes that wait for one that sleeps, as part of the time they wait */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>

enum { sleep_ms = 100, rounds = 3, largest_elements = 1 << 18 };

static tutti_group world;
static int me, p;

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "bench_limits: %s\n", tutti_error_text());
  exit(1);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct {
  double *a, *b; /* `most` elements for each process */
  int64_t n;
} operands;

static operands operands_of(int64_t n) {
  const size_t elements = (size_t)n * (size_t)p;
  operands made = {calloc(elements, sizeof(double)), calloc(elements, sizeof(double)), n};
  if (made.a == NULL || made.b == NULL) {
    fprintf(stderr, "bench_limits: no memory for two vectors of %zu doubles\n", elements);
    exit(1);
  }
  return made;
}

static const char* const names[] = {"barrier", "broadcast", "reduce",         "allreduce",         "scatter",
                                    "gather",  "allgather", "reduce_scatter", "complete exchange", "scan"};
enum { operations = sizeof(names) / sizeof(names[0]) };

/* Rank 0 has what the others need: it is the root of what goes out, and not of what comes in. */
static tutti_status call(int operation, const operands* on) {
  const int to = p - 1;
  const tutti_data a = tutti_array(on->a, on->n, TUTTI_DOUBLE), b = tutti_array(on->b, on->n, TUTTI_DOUBLE);
  const tutti_data all_a = tutti_array(on->a, on->n * p, TUTTI_DOUBLE),
                   all_b = tutti_array(on->b, on->n * p, TUTTI_DOUBLE);
  switch (operation) {
    case 0:
      return tutti_barrier(world);
    case 1:
      return tutti_bcast(world, &a, 0);
    case 2:
      return tutti_reduce(world, &a, me == to ? &b : NULL, TUTTI_SUM, to);
    case 3:
      return tutti_allreduce(world, &a, &b, TUTTI_SUM);
    case 4:
      return tutti_scatter(world, me == 0 ? &all_a : NULL, &b, 0);
    case 5:
      return tutti_gather(world, &a, me == to ? &all_b : NULL, to);
    case 6:
      return tutti_allgather(world, &a, &all_b);
    case 7:
      return tutti_reduce_scatter(world, &all_a, &b, TUTTI_SUM);
    case 8:
      return tutti_alltoall(world, &all_a, &all_b);
    default:
      return tutti_scan(world, &a, &b, TUTTI_SUM);
  }
}

/* KiB of this process's part in the mapping that the job shares: a page of k processes counts 1/k for each. */
static double shared_kib(void) {
  FILE* maps = fopen("/proc/self/smaps", "r");
  char line[1024], permissions[8];
  unsigned long from, to;
  double sum = 0, kib;
  int shared = 0;
  if (maps == NULL) return -1;
  while (fgets(line, sizeof(line), maps) != NULL) {
    if (sscanf(line, "%lx-%lx %7s", &from, &to, permissions) == 3) {
      shared = permissions[3] == 's';
    } else if (shared && sscanf(line, "Pss: %lf", &kib) == 1) {
      sum += kib;
    }
  }
  fclose(maps);
  return sum;
}

static double sum_over_all(double mine) {
  double sum = 0;
  const tutti_data from = tutti_array(&mine, 1, TUTTI_DOUBLE), to = tutti_array(&sum, 1, TUTTI_DOUBLE);
  must(tutti_allreduce(world, &from, &to, TUTTI_SUM));
  return sum;
}

static void memory(void) {
  for (int64_t n = 1; n <= largest_elements; n *= 8) {
    const operands on = operands_of(n);
    for (int operation = 0; operation < operations; ++operation) {
      for (int round = 0; round < rounds; ++round) must(call(operation, &on));
    }
    free(on.a);
    free(on.b);
  }
  must(tutti_barrier(world)); /* all have received what was sent */
  const double sum = sum_over_all(shared_kib());
  if (me == 0) printf("{\"processes\": %d, \"shared_mib_per_process\": %.3f}\n", p, sum / 1024 / p);
}

static void waiting(int64_t bytes) {
  const operands on = operands_of(bytes / (int64_t)sizeof(double));
  for (int operation = 0; operation < operations; ++operation) {
    double waited = 0, computed = 0;
    for (int round = 0; round < rounds; ++round) {
      must(call(operation, &on));
      must(tutti_barrier(world));
      const double began = seconds_of(CLOCK_MONOTONIC), before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
      const struct timespec pause = {0, sleep_ms * 1000000L};
      if (me == 0) nanosleep(&pause, NULL);
      must(call(operation, &on));
      if (me == 0) continue;
      const double took = seconds_of(CLOCK_MONOTONIC) - began;
      if (took < 0.5e-3 * sleep_ms) continue; /* this process needed nothing of the one that slept */
      waited += took;
      computed += seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before;
    }
    waited = sum_over_all(waited);
    computed = sum_over_all(computed);
    if (me == 0 && waited > 0) {
      printf("{\"processes\": %d, \"operation\": \"%s\", \"bytes\": %lld, \"busy_percent\": %.3f}\n", p,
             names[operation], (long long)bytes, 100 * computed / waited);
    }
  }
  free(on.a);
  free(on.b);
}

int main(int count, char** words) {
  must(tutti_init());
  world = tutti_world();
  me = tutti_rank(world);
  p = tutti_size(world);
  if (count == 2 && strcmp(words[1], "start") == 0) {
    must(tutti_barrier(world));
  } else if (count == 2 && strcmp(words[1], "memory") == 0) {
    memory();
  } else if (count == 3 && strcmp(words[1], "waiting") == 0 && atoll(words[2]) >= (long long)sizeof(double)) {
    waiting(atoll(words[2]));
  } else {
    fprintf(stderr, "bench_limits: start, memory or waiting BYTES (8 or more), not '%s'\n", count > 1 ? words[1] : "");
    return 2;
  }
  must(tutti_finalize());
  return 0;
}
