/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a sum of integers takes in a group of PVM, dynamic and frozen, and by the library's own
 * call. All processes of a job of `tutti run` take part. Arguments: calls of a series, series.
 * Prints "dynamic|frozen|native INTEGERS MICROSECONDS", the median of the series.
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tutti/tutti.h>

enum { lengths = 3, most = 10000, most_series = 100 };
static const int elements[lengths] = {1, 1000, 10000};
static char open_group[] = "probe", frozen_group[] = "frozen probe";
enum way { dynamic, frozen, native, ways };
static const char* const names[ways] = {"dynamic", "frozen", "native"};
static int data[most], calls, series, tasks, me;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void sum(enum way way, int count, int tag) {
  if (way == native) {
    const tutti_data vector = tutti_array(data, count, TUTTI_INT32);
    tutti_reduce(tutti_world(), &vector, &vector, TUTTI_SUM, 0);
  } else {
    pvm_reduce(PvmSum, data, count, PVM_INT, tag, way == dynamic ? open_group : frozen_group, 0);
  }
}

static double measure(enum way way, int count) {
  static int tag = 1;
  for (int i = 0; i < 2; ++i) sum(way, count, tag++);
  pvm_barrier(open_group, tasks);
  const double start = now();
  for (int i = 0; i < calls; ++i) sum(way, count, tag++);
  pvm_barrier(open_group, tasks);
  return (now() - start) / calls;
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void print(enum way way, int length, double* times) {
  qsort(times, (size_t)series, sizeof times[0], compare);
  if (me == 0) printf("%s %d %.3f\n", names[way], elements[length], times[series / 2]);
}

int main(int count, char** arguments) {
  static double times[ways][lengths][most_series];
  calls = count > 1 ? atoi(arguments[1]) : 100;
  series = count > 2 ? atoi(arguments[2]) : 5;
  if (calls < 1 || series < 1 || series > most_series) return 2;
  pvm_mytid();
  tasks = tutti_size(tutti_world());
  me = pvm_joingroup(open_group);
  pvm_joingroup(frozen_group);
  pvm_freezegroup(frozen_group, tasks);
  for (int s = 0; s < series; ++s) {
    for (int length = 0; length < lengths; ++length) {
      for (int way = 0; way < ways; ++way)
        times[way][length][s] = measure((enum way)way, elements[length]);
    }
  }
  for (int length = 0; length < lengths; ++length) {
    for (int way = 0; way < ways; ++way) print((enum way)way, length, times[way][length]);
  }
  pvm_exit();
  return 0;
}
