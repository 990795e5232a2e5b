/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the group calls of PVM. It starts its own tasks and prints one line per operation and
 * size, with microseconds per call. Arguments: tasks, calls, dynamic|frozen, default|direct,
 * group. The same program runs on the real PVM, which may still remove tasks of an earlier run
 * from their group, so each run needs a group of its own.
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { sizes = 3, operations = 5, most = 10000 };
static const int elements[sizes] = {1, 1000, 10000};
static const char* const names[operations] = {"reduce", "scatter", "gather", "bcast", "barrier"};
static char* group;
static int *part, *whole, tasks, calls, me;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static void broadcast(int count, int tag) {
  if (me == 0) {
    pvm_initsend(PvmDataRaw);
    pvm_pkint(part, count, 1);
    pvm_bcast(group, tag);
  } else {
    pvm_recv(-1, tag);
    pvm_upkint(part, count, 1);
  }
}

static void call(int operation, int count, int tag) {
  switch (operation) {
    case 0:
      pvm_reduce(PvmSum, part, count, PVM_INT, tag, group, 0);
      break;
    case 1:
      pvm_scatter(part, whole, count, PVM_INT, tag, group, 0);
      break;
    case 2:
      pvm_gather(whole, part, count, PVM_INT, tag, group, 0);
      break;
    case 3:
      broadcast(count, tag);
      break;
    default:
      pvm_barrier(group, tasks);
  }
}

/* Measures one operation. Each call has a tag of its own, because the real PVM would mix calls
 * with equal tags. */
static void measure(int operation, int count) {
  static int tag = 1;
  for (int i = 0; i < 2; ++i) call(operation, count, tag++);
  pvm_barrier(group, tasks);
  const double start = now();
  for (int i = 0; i < calls; ++i) call(operation, count, tag++);
  pvm_barrier(group, tasks);
  if (me == 0) printf("%s %d %.3f\n", names[operation], count, (now() - start) / calls);
}

static void start_others(char** argv) {
  int* tids = malloc(sizeof(int) * (size_t)tasks);
  if (pvm_parent() != PvmNoParent || tasks == 1) return free(tids);
  if (pvm_spawn(argv[0], argv + 1, PvmTaskDefault, (char*)"", tasks - 1, tids) != tasks - 1)
    exit(2);
  free(tids);
}

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  tasks = atoi(argv[1]);
  calls = atoi(argv[2]);
  group = argv[5];
  pvm_mytid();
  if (strcmp(argv[4], "direct") == 0) pvm_setopt(PvmRoute, PvmRouteDirect);
  me = pvm_joingroup(group);
  start_others(argv);
  part = calloc(most, sizeof(int));
  whole = calloc((size_t)most * (size_t)tasks, sizeof(int));
  pvm_barrier(group, tasks);
  if (strcmp(argv[3], "frozen") == 0) pvm_freezegroup(group, tasks);
  for (int operation = 0; operation < operations; ++operation) {
    if (tasks == 1 && operation == 3) continue; /* nobody receives */
    for (int size = 0; size < (operation == 4 ? 1 : sizes); ++size)
      measure(operation, elements[size]);
  }
  fflush(stdout);
  pvm_barrier(group, tasks);
  pvm_exit();
  return 0;
}
