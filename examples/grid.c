// SPDX-License-Identifier: BSD-3-Clause
// Uses the BLACS from C: on a grid of one row, finds the element of largest magnitude and its
// place, and a sum along the row.
#include <stdio.h>
#include <tutti-blacs/tutti_blacs.h>

int main(void) {
  int me, processes, context, rows, columns, row, column;
  Cblacs_pinfo(&me, &processes);
  if (processes < 1) {
    processes = 2;
    Cblacs_setup(&me, &processes);
  }
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, processes);
  Cblacs_gridinfo(context, &rows, &columns, &row, &column);

  double value = column % 2 == 0 ? column : -column;
  int at_row = -1, at_column = -1;
  Cdgamx2d(context, "All", " ", 1, 1, &value, 1, &at_row, &at_column, 1, -1, -1);
  double sum = column;
  Cdgsum2d(context, "Row", "1", 1, 1, &sum, 1, -1, -1);
  if (column == 0)
    printf("grid 1 x %d: largest %g at {%d, %d}, sum %g\n", columns, value, at_row, at_column, sum);

  const int right =
      at_row == 0 && at_column == processes - 1 && sum == processes * (processes - 1) / 2.0;
  Cblacs_gridexit(context);
  Cblacs_exit(0);
  return right ? 0 : 1;
}
