/* SPDX-License-Identifier: BSD-3-Clause
 * Messages that go to and fro between two processes. A program includes this file, defines `pass`
 * and calls measure(). Each length has turns of its own; every message is checked at three places.
 * Process 0 prints for each length
 *   message INTERFACE BYTES MEDIAN     in us, of one way
 */
#ifndef TUTTI_BENCH_MESSAGES_TURNS_H
#define TUTTI_BENCH_MESSAGES_TURNS_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Moves `bytes` bytes from one of the two processes to the other; both call it. */
static void pass(int from, char* data, int bytes);

static double now_in_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int compare_times(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void mark(char* data, int bytes, int number) {
  data[0] = data[bytes / 2] = data[bytes - 1] = (char)number;
}

static int is_marked(const char* data, int bytes, int number) {
  return data[0] == (char)number && data[bytes / 2] == (char)number &&
         data[bytes - 1] == (char)number;
}

/* Returns the median time of one way. Ends the program if a message is wrong. */
static double time_of_pass(int me, char* data, int bytes, int turns) {
  double* times = malloc((size_t)turns * sizeof *times);
  if (times == NULL) exit(1);
  for (int turn = -5; turn < turns; ++turn) {
    const double begin = now_in_us();
    for (int from = 0; from < 2; ++from) {
      const int number = 2 * turn + from;
      if (me == from) mark(data, bytes, number);
      pass(from, data, bytes);
      if (!is_marked(data, bytes, number)) {
        fprintf(stderr, "a message of %d bytes is wrong\n", bytes);
        exit(1);
      }
    }
    if (turn >= 0) times[turn] = (now_in_us() - begin) / 2;
  }
  qsort(times, (size_t)turns, sizeof *times, compare_times);
  const double median = times[turns / 2];
  free(times);
  return median;
}

/* `data` has 4 MiB. Repeats the whole so many times. */
static void measure(const char* interface, int me, char* data, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (int bytes = 64 << 10; bytes <= 4 << 20; bytes *= 2) {
      const double us = time_of_pass(me, data, bytes, (32 << 20) / bytes);
      if (me == 0) printf("message %s %d %.2f\n", interface, bytes, us);
    }
  }
}

#endif
