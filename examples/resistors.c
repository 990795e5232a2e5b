/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Combines by functions of its own, which the BLACS call: the resistance of resistors in parallel,
 * of which each process has one in each of three networks. Conductances are added, so each process
 * inverts its resistances before, and the sum is inverted at the end.
 */
#include <stdio.h>
#include <tutti-blacs/tutti_blacs.h>

#define NETWORKS 3

static void invert(int n, double* x) {
  for (int i = 0; i < n; ++i) x[i] = 1 / x[i];
}

static void add(int n, double* x, double* y) {
  for (int i = 0; i < n; ++i) x[i] += y[i];
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

  double ohms[NETWORKS] = {8, 100, 100.0 / (row + 1)};
  Cdtuop2d(context, "Column", " ", "G", "N", 1, NETWORKS, ohms, 1, invert, add, invert, -1, -1);
  if (row == 0) printf("%d in parallel have %g, %g and %g ohms\n", rows, ohms[0], ohms[1], ohms[2]);

  const double wrong = ohms[0] * rows - 8 + ohms[2] * rows * (rows + 1) - 200;
  Cblacs_gridexit(context);
  Cblacs_exit(0);
  return wrong < 1e-9 && wrong > -1e-9 ? 0 : 1;
}
