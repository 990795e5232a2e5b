// SPDX-License-Identifier: BSD-3-Clause
// PVM: pvm_reduce leaves the result at one instance of a group. The program starts the others. The
// number of tasks is in SAME_BITS_TASKS.
#include <pvm3.h>
#include <stdlib.h>

#include "same_bits.h"

const char* const interface_name = "pvm";
const struct kind* const kinds = own_kinds;
const int kind_count = OWN_KINDS, combines_for_all = 0;

static char group[] = "same_bits";
static int me, ranks;

static void combine(int* type, void* x, void* y, int* count, int* info) {
  (void)type;
  current->combine(x, x, y, *count / current->doubles);
  *info = PvmOk;
}

int start(int* argc, char*** argv, int* rank) {
  (void)argc;
  const char* const tasks = getenv("SAME_BITS_TASKS");
  ranks = tasks == NULL ? 2 : atoi(tasks);
  me = pvm_joingroup(group);
  if (pvm_parent() == PvmNoParent) {
    int started[64];
    pvm_catchout(stdout);
    if (pvm_spawn((*argv)[0], *argv + 1, PvmTaskDefault, NULL, ranks - 1, started) != ranks - 1)
      exit(3);
  }
  pvm_freezegroup(group, ranks);
  *rank = me;
  return ranks;
}

void finish(void) {
  pvm_barrier(group, ranks);
  pvm_exit();
}

int takes_whole_vectors(const struct kind* kind) {
  return kind->combine != NULL;
}

void combine_for_all(const struct kind* kind, double* x, int count) {
  (void)kind;
  (void)x;
  (void)count;
}

int combine_at(const struct kind* kind, double* x, int count, int root) {
  const int n = count * kind->doubles;
  if (kind - kinds == SUM) {
    pvm_reduce(PvmSum, x, n, PVM_DOUBLE, 5, group, root);
  } else if (kind - kinds == MAX) {
    pvm_reduce(PvmMax, x, n, PVM_DOUBLE, 5, group, root);
  } else {
    pvm_reduce(combine, x, n, PVM_DOUBLE, 5, group, root);
  }
  return 1;
}

void collect(uint64_t mine, uint64_t* all) {
  pvm_gather(all, &mine, sizeof mine, PVM_BYTE, 6, group, 0);
}
