/* SPDX-License-Identifier: BSD-3-Clause
 * Columns of doubles that go to and fro on a grid of 1 x 2 by the BLACS. Argument: rounds. */
#include <tutti-blacs/tutti_blacs.h>

#include "turns.h"

static int context, me;

static void pass(int from, char* data, int bytes) {
  const int elements = bytes / (int)sizeof(double);
  double* const column = (double*)(void*)data;
  if (me == from) {
    Cdgesd2d(context, elements, 1, column, elements, 0, 1 - from);
  } else {
    Cdgerv2d(context, elements, 1, column, elements, 0, from);
  }
}

int main(int argc, char** argv) {
  int row, rows, columns;
  char order[] = "Row";
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, order, 1, 2);
  Cblacs_gridinfo(context, &rows, &columns, &row, &me);
  char* data = calloc(4 << 20, 1);
  measure("blacs", me, data, argc > 1 ? atoi(argv[1]) : 1);
  Cblacs_exit(0);
  free(data);
  return 0;
}
