/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures a sum of integers in a group of PVM, dynamic and frozen, by NX's gisum, and by the
 * library's own call. The processes of a job of `tutti run` are tasks of PVM and nodes of NX, and
 * all take part. Arguments: calls of a series, series. Prints
 * "dynamic|frozen|gisum|native INTEGERS MICROSECONDS", the median of the series. Each result is
 * checked. With the one argument "cases" it measures nothing (pvm_cases.c).
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>

#include "pvm_cases.h"

enum { lengths = 3, most = 10000, most_series = 100 };
static const int elements[lengths] = {1, 1000, 10000};
static char open_group[] = "probe", frozen_group[] = "frozen probe";
enum way { dynamic, frozen, gisum, native, ways };
static const char* const names[ways] = {"dynamic", "frozen", "gisum", "native"};
static int data[most], work[most], calls, series, tasks, me, me_in_frozen;

/* The integers of PVM's reduction have 32 bits, and so have those of gisum in Fortran. In C its
 * integers are long, which had 32 bits on the machines of NX, but has 64 here. */
extern void gisum_(int* x, const int* n, int* work);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void sum(enum way way, int count, int tag) {
  if (way == native) {
    const tutti_data vector = tutti_array(data, count, TUTTI_INT32);
    tutti_reduce(tutti_world(), &vector, &vector, TUTTI_SUM, 0);
  } else if (way == gisum) {
    gisum_(data, &count, work);
  } else {
    pvm_reduce(PvmSum, data, count, PVM_INT, tag, way == dynamic ? open_group : frozen_group, 0);
  }
}

/* A task has a number of its own in each group, which may differ from that of its process. */
static void check(enum way way, int count) {
  const int number = way == native ? tutti_rank(tutti_world()) : way == frozen ? me_in_frozen : me;
  for (int i = 0; i < count && (number == 0 || way == gisum); ++i) {
    if (data[i] != tasks * (tasks + 1) / 2 + tasks * i) tutti_abort(1, "pvm-probe: a sum is wrong");
  }
}

static double measure(enum way way, int count) {
  static int tag = 1;
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < count; ++k) data[k] = me + 1 + k;
    sum(way, count, tag++);
    check(way, count);
  }
  for (int k = 0; k < count; ++k) data[k] = 0; /* so that no sum of sums grows too large */
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
  if (count == 2 && strcmp(arguments[1], "cases") == 0) return pvm_cases();
  calls = count > 1 ? atoi(arguments[1]) : 100;
  series = count > 2 ? atoi(arguments[2]) : 5;
  if (calls < 1 || series < 1 || series > most_series) return 2;
  pvm_mytid();
  tasks = tutti_size(tutti_world());
  me = pvm_joingroup(open_group);
  me_in_frozen = pvm_joingroup(frozen_group);
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
