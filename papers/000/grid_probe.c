/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the BLACS where every process of a grid is and who takes part in each scope. Arguments:
 * rows, columns. Each process prints: its number, its row and column, and for row, column and all
 * the members as bits (a sum of 2^number). Then the processes 0 and 1 do what figure 3 of paper 000
 * has them do, where a send that waits for its receive would hang.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti-blacs/tutti_blacs.h>

static int members(int context, char* scope, int number) {
  int bits = 1 << number;
  Cigsum2d(context, scope, " ", 1, 1, &bits, 1, -1, -1);
  return bits;
}

int main(int count, char** arguments) {
  const int rows = count == 3 ? atoi(arguments[1]) : 1,
            columns = count == 3 ? atoi(arguments[2]) : 1;
  int number, processes, context, row, column, grid_rows, grid_columns, got = -1;
  Cblacs_pinfo(&number, &processes);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row-major", rows, columns);
  Cblacs_gridinfo(context, &grid_rows, &grid_columns, &row, &column);
  const int in_row = members(context, "Row", number),
            in_column = members(context, "Column", number);
  printf("%d %d %d %d %d %d\n", number, row, column, in_row, in_column,
         members(context, "All", number));
  if (number < 2) {
    Cigesd2d(context, 1, 1, &number, 1, 0, 1 - number);
    Cigerv2d(context, 1, 1, &got, 1, 0, 1 - number);
    printf("exchanged %d %d\n", number, got);
  }
  Cblacs_exit(0);
  return 0;
}
