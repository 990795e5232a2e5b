// SPDX-License-Identifier: BSD-3-Clause
// Uses the BLACS 1.0 of 1994 from C. There is one grid, of one row here, and all arguments are
// references. The program finds the element of largest magnitude and its place, and a sum.
#include <stdio.h>
#include <tutti-blacs94/tutti_blacs94.h>

int main(void) {
  int me, processes, rows, columns, row, column;
  const int one = 1, everyone = -1, leave = 0;
  initpinfo(&me, &processes);
  if (processes < 1) processes = 3;
  auxsetup(&me, &processes);
  blacsinit(&one, &processes);
  gridinfo(&rows, &columns, &row, &column);

  double value = column % 2 == 0 ? column : -column, sum = column;
  int at_row = -1, at_column = -1;
  dgmax2d("All", "1-tree", &one, &one, &value, &one, &at_row, &at_column, &one, &everyone, &one);
  dgsum2d("Row", "Hypercube", &one, &one, &sum, &one, &everyone, &one);
  if (column == 0)
    printf("grid 1 x %d: largest %g at {%d, %d}, sum %g\n", columns, value, at_row, at_column, sum);

  const int right =
      at_row == 0 && at_column == processes - 1 && sum == processes * (processes - 1) / 2.0;
  blacsexit(&leave);
  return right ? 0 : 1;
}
