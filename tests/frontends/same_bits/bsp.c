// SPDX-License-Identifier: BSD-3-Clause
// BSPlib: bsp_fold takes the whole vector for one value.
#include <bsp.h>
#include <bsp_level1.h>
#include <stdlib.h>
#include <string.h>

#include "same_bits.h"

const char* const interface_name = "bsp";
const struct kind* const kinds = own_kinds;
const int kind_count = SUM, combines_for_all = 1;

static void combine(void* result, void* left, void* right, int* bytes) {
  const int count = *bytes / (int)sizeof(double) / current->doubles;
  // A result that is written early shows whether it lies over an operand.
  memset(result, 0, (size_t)*bytes);
  current->combine(result, left, right, count);
}

int start(int* argc, char*** argv, int* rank) {
  (void)argc;
  (void)argv;
  bsp_begin(bsp_nprocs());
  *rank = bsp_pid();
  return bsp_nprocs();
}

void finish(void) {
  bsp_end();
}

int takes_whole_vectors(const struct kind* kind) {
  return kind->combine != NULL;
}

void combine_for_all(const struct kind* kind, double* x, int count) {
  const size_t bytes = sizeof(double) * (size_t)kind->doubles * (size_t)count;
  double* const copy = malloc(bytes);
  memcpy(copy, x, bytes);
  bsp_fold(combine, copy, x, (int)bytes);
  free(copy);
}

void collect(uint64_t mine, uint64_t* all) {
  bsp_gather(0, &mine, all, sizeof mine);
}
