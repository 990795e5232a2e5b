// SPDX-License-Identifier: BSD-3-Clause
// iCC: a function of the program, and its own operators. A result at one node is that of a group.
#include <icc.h>
#include <nx.h>

#include "same_bits.h"

const char* const interface_name = "icc";
const struct kind* const kinds = own_kinds;
const int kind_count = OWN_KINDS, combines_for_all = 1;

static int elements;

static long combine(void* x, void* work) {
  current->combine(x, x, work, elements);
  return 0;
}

int start(int* argc, char*** argv, int* rank) {
  (void)argc;
  (void)argv;
  iCC_initialize();
  *rank = (int)mynode();
  return (int)numnodes();
}

void finish(void) {}

int takes_whole_vectors(const struct kind* kind) {
  return kind->combine != NULL;
}

void combine_for_all(const struct kind* kind, double* x, int count) {
  static double work[10000];
  if (kind - kinds == SUM) return iCC_gdsum(x, count, work);
  if (kind - kinds == MAX) return iCC_gdhigh(x, count, work);
  elements = count;
  iCC_gopf(x, (long)sizeof(double) * kind->doubles * count, work, combine);
}

int combine_at(const struct kind* kind, double* x, int count, int root) {
  static double work[10000];
  if (kind->combine != NULL) return 0;
  if (kind - kinds == SUM) iCC_gdsum_one(x, count, work, root);
  if (kind - kinds == MAX) iCC_gdhigh_one(x, count, work, root);
  return 1;
}

void collect(uint64_t mine, uint64_t* all) {
  long sizes[64];
  for (int i = 0; i < numnodes(); ++i) sizes[i] = sizeof mine;
  iCC_gcolx(&mine, sizes, all);
}
