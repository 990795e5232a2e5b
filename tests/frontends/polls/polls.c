// SPDX-License-Identifier: BSD-3-Clause
// polls ROUNDS: sends a token round the ranks, in turns with and without a sched_yield of the
// program's own after each look that finds nothing. Rank 0 prints, for each way of looking, the
// median times of a hop in microseconds.
#include "polls.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_ROUNDS = 10000, ROUNDS_IN_TURN = 10 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static double median(double* times, int count) {
  qsort(times, (size_t)count, sizeof *times, by_size);
  return times[count / 2];
}

static void await(int way, int from, int yields) {
  while (!look_for_token(way, from)) {
    if (yields) sched_yield();
  }
}

int main(int argc, char** argv) {
  static double times[2][MOST_ROUNDS];
  int rank = 0;
  const int ranks = start(&argc, &argv, &rank);
  const int rounds = argc > 1 ? atoi(argv[1]) : 200;
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  if (rounds > MOST_ROUNDS) return 2;
  for (int way = 0; ways[way] != NULL; ++way) {
    int made[2] = {0, 0};
    for (int round = 0; round < 2 * rounds; ++round) {
      const int yields = round / ROUNDS_IN_TURN % 2;
      const double begin = now();
      if (rank == 0) send_token(next);
      await(way, before, yields);
      if (rank != 0) send_token(next);
      times[yields][made[yields]++] = (now() - begin) / ranks;
    }
    if (rank != 0) continue;
    const double own = median(times[1], made[1]), ours = median(times[0], made[0]);
    printf("polls: %s %s: hop %.1f us, with the program's own yields %.1f us\n", interface_name,
           ways[way], ours, own);
  }
  fflush(stdout);
  finish();
  return 0;
}
