// SPDX-License-Identifier: BSD-3-Clause
// BLACS: combines by functions of the program, and its own sum and maximum, on a grid of one row.
#include <string.h>
#include <tutti-blacs/tutti_blacs.h>

#include "same_bits.h"

const char* const interface_name = "blacs";
const struct kind* const kinds = own_kinds;
const int kind_count = OWN_KINDS, combines_for_all = 1;

static int context, me, ranks;

static void combine(int n, double* x, double* y) {
  current->combine(x, x, y, n / current->doubles);
}

int start(int* argc, char*** argv, int* rank) {
  (void)argc;
  (void)argv;
  Cblacs_pinfo(&me, &ranks);
  Cblacs_get(0, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, ranks);
  *rank = me;
  return ranks;
}

void finish(void) {
  Cblacs_gridexit(context);
  Cblacs_exit(0);
}

static void combine_to(const struct kind* kind, double* x, int count, int row, int column) {
  const int n = count * kind->doubles;
  if (kind - kinds == SUM) {
    Cdgsum2d(context, "All", " ", n, 1, x, n, row, column);
  } else if (kind - kinds == MAX) {
    Cdgamx2d(context, "All", " ", n, 1, x, n, NULL, NULL, -1, row, column);
  } else {
    Cdtuop2d(context, "All", " ", "G", "N", n, 1, x, n, NULL, combine, NULL, row, column);
  }
}

int takes_whole_vectors(const struct kind* kind) {
  return kind->combine != NULL;
}

void combine_for_all(const struct kind* kind, double* x, int count) {
  combine_to(kind, x, count, -1, 0);
}

int combine_at(const struct kind* kind, double* x, int count, int root) {
  combine_to(kind, x, count, 0, root);
  return 1;
}

void collect(uint64_t mine, uint64_t* all) {
  double number;
  memcpy(&number, &mine, sizeof number);
  if (me != 0) return Cdgesd2d(context, 1, 1, &number, 1, 0, 0);
  all[0] = mine;
  for (int other = 1; other < ranks; ++other) {
    Cdgerv2d(context, 1, 1, &number, 1, 0, other);
    memcpy(&all[other], &number, sizeof number);
  }
}
