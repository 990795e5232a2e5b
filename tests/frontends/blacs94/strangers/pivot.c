/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks for pivots in the columns of a matrix whose rows are dealt out to the processes. The owner
 * that the search names sends its row to all.
 */
#include <stdio.h>

#define N 12

static int rows, used[N], mine[N];
static float a[N][N];

/* Row i has its greatest element in column i * 5 mod N, and zeros in the columns before. */
static deal(iam, np) int iam, np;
{
  int i, j;
  for (i = iam; i < N; i += np) {
    for (j = 0; j < N; j++) a[rows][j] = j == i * 5 % N ? -10 - i : j > i * 5 % N ? 1 : 0;
    mine[rows++] = i;
  }
}

main() {
  int iam, np, nprow, npcol, myrow, mycol, one = 1, all = -1, zero = 0, n = N, step, i, j, best;
  int ra, ca, wrong = 0;
  float row[N], big;
  double product = 1;

  initpinfo_(&iam, &np);
  if (np <= 0) np = 4;
  auxsetup_(&iam, &np);
  blacsinit_(&np, &one);
  gridinfo_(&nprow, &npcol, &myrow, &mycol);
  deal(iam, np);
  for (step = 0; step < N; step++) {
    best = -1;
    for (i = 0; i < rows; i++)
      if (!used[i] && (best < 0 || a[i][step] * a[i][step] > a[best][step] * a[best][step]))
        best = i;
    big = best < 0 ? 0 : a[best][step];
    sgmax2d_("Column", "Tree", &one, &one, &big, &one, &ra, &ca, &one, &all, &all);
    if (kpnum_(&ra, &ca) == iam) {
      used[best] = 1;
      if (mine[best] * 5 % N != step) wrong++;
      for (j = 0; j < N; j++) row[j] = a[best][j];
      sgebs2d_("Column", "Split", &n, &one, row, &n);
    } else
      sgebr2d_("Column", "Split", &n, &one, row, &n, &ra, &zero);
    if (row[step] != big) wrong++;
    product *= big;
    for (i = 0; i < rows; i++)
      if (!used[i] && a[i][step] != 0) wrong++;
  }
  for (i = 0; i < N; i++) product /= -10 - i;
  if (product < 0.999999 || product > 1.000001) wrong++;
  igsum2d_("All", "1", &one, &one, &wrong, &one, &zero, &zero);
  if (iam == 0 && wrong == 0) printf("pivot: ok on %d processes\n", np);
  exit(0);
}
