// SPDX-License-Identifier: BSD-3-Clause
// NX: gopf calls a function of the program with whole vectors, gdsum and gdhigh are its own.
#include <nx.h>

#include "same_bits.h"

const char* const interface_name = "nx";
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
  *rank = (int)mynode();
  return (int)numnodes();
}

void finish(void) {}

int takes_whole_vectors(const struct kind* kind) {
  return kind->combine != NULL;
}

void combine_for_all(const struct kind* kind, double* x, int count) {
  static double work[10000];
  if (kind - kinds == SUM) return gdsum(x, count, work);
  if (kind - kinds == MAX) return gdhigh(x, count, work);
  elements = count;
  gopf(x, (long)sizeof(double) * kind->doubles * count, work, combine);
}

void collect(uint64_t mine, uint64_t* all) {
  long collected = 0;
  gcol(&mine, sizeof mine, all, (long)sizeof mine * numnodes(), &collected);
}
