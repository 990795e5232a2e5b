// SPDX-License-Identifier: BSD-3-Clause
// A program of the BLACS for test_record.py: a message, a broadcast and a sum on a grid of one row.
#include <tutti-blacs/tutti_blacs.h>

int main(void) {
  int me, p, context, rows, columns, row, column;
  Cblacs_pinfo(&me, &p);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, p);
  Cblacs_gridinfo(context, &rows, &columns, &row, &column);
  double a[6] = {1, 2, 3, 4, 5, 6};
  if (column == 0) Cdgesd2d(context, 3, 2, a, 3, 0, 1);
  if (column == 1) Cdgerv2d(context, 3, 2, a, 3, 0, 0);
  if (column == 0) Cdgebs2d(context, "All", " ", 3, 2, a, 3);
  if (column != 0) Cdgebr2d(context, "All", " ", 3, 2, a, 3, 0, 0);
  Cdgsum2d(context, "All", " ", 3, 2, a, 3, -1, -1);
  Cblacs_barrier(context, "All");
  Cblacs_gridexit(context);
  Cblacs_exit(0);
  return 0;
}
