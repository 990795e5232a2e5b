/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Combines by functions of its own, which the BLACS call: the Euclidean norms of the columns of a
 * matrix, of which each process has one row. The squares are added, and the roots are drawn from
 * the sums.
 */
#include <math.h>
#include <stdio.h>
#include <tutti-blacs/tutti_blacs.h>

#define COLUMNS 3

static void square(int n, double* x) {
  for (int i = 0; i < n; ++i) x[i] *= x[i];
}

static void add(int n, double* x, double* y) {
  for (int i = 0; i < n; ++i) x[i] += y[i];
}

static void draw_root(int n, double* x) {
  for (int i = 0; i < n; ++i) x[i] = sqrt(x[i]);
}

int main(void) {
  int me, processes, context, rows, columns, row, column;
  Cblacs_pinfo(&me, &processes);
  if (processes < 1) {
    processes = 4;
    Cblacs_setup(&me, &processes);
  }
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Column", processes, 1);
  Cblacs_gridinfo(context, &rows, &columns, &row, &column);

  double x[COLUMNS] = {1, row, -2 * row};
  Cdtuop2d(context, "Column", " ", "G", "N", 1, COLUMNS, x, 1, square, add, draw_root, -1, -1);
  if (row == 0) printf("norms over %d rows: %g %g %g\n", rows, x[0], x[1], x[2]);

  const int right = fabs(x[0] * x[0] - rows) < 1e-9 && fabs(x[2] - 2 * x[1]) < 1e-9;
  Cblacs_gridexit(context);
  Cblacs_exit(0);
  return right ? 0 : 1;
}
