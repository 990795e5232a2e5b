/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The LU factorisation with partial pivoting on a mesh of nodes, the example of the InterCom
 * papers: columns of nodes search the largest element, the multipliers are broadcast within rows
 * and the rows of U within columns. The matrix is dealt out one row and one column at a time. The
 * result is compared with that of one node.
 */
#include <iCC_group.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 60
#define OK(call) \
  if ((call) != iCC_g_OK) bad++

extern long mynode(), numnodes();

static long me, p, rows, cols, row, col, bad;
static double a[N][N], whole[N][N], line[N], other[N];
static iCC_g_Comm in_row, in_column;

double element(i, j)
long i, j;
{ return (double)((i * 31 + j * 17 + i * j) % 23) - 11 + (i == j ? 0.5 : 0); }

/* One node alone. */
alone(pivots) long* pivots;
{
  long i, j, k, best;
  double t;
  for (k = 0; k < N; k++) {
    for (best = i = k; i < N; i++)
      if (fabs(whole[i][k]) > fabs(whole[best][k])) best = i;
    pivots[k] = best;
    for (j = 0; j < N; j++) t = whole[k][j], whole[k][j] = whole[best][j], whole[best][j] = t;
    for (i = k + 1; i < N; i++) {
      whole[i][k] /= whole[k][k];
      for (j = k + 1; j < N; j++) whole[i][j] -= whole[i][k] * whole[k][j];
    }
  }
  return 0;
}

iCC_g_Comm members(first, stride, n)
long first, stride, n;
{
  long i, ranks[64];
  iCC_g_Group all, some;
  iCC_g_Comm comm;
  for (i = 0; i < n; i++) ranks[i] = first + i * stride;
  OK(iCC_g_Comm_group(iCC_g_COMM_WORLD, &all));
  OK(iCC_g_Group_incl(all, n, ranks, &some));
  OK(iCC_g_Comm_create(iCC_g_COMM_WORLD, some, &comm));
  return comm;
}

/* The row of the largest element of column k; of equal ones the first. All nodes learn it. */
long search(k)
long k;
{
  long i, best = N, first = N;
  double most = -1, largest = -1;
  if (col == k % cols) {
    for (i = k; i < N; i++)
      if (i % rows == row && fabs(a[i][k]) > most) most = fabs(a[i][k]), best = i;
    OK(iCC_g_Allreduce(&most, &largest, 1L, iCC_g_double_dtype, iCC_g_DMAX, in_column));
    if (most != largest) best = N;
    OK(iCC_g_Allreduce(&best, &first, 1L, iCC_g_long_dtype, iCC_g_IMIN, in_column));
  }
  OK(iCC_g_Bcast(&first, 1L, iCC_g_long_dtype, k % cols, in_row));
  return first;
}

/* Exchanges two rows. Each is broadcast within the columns by its owner. */
exchange(i, k) long i, k;
{
  if (i == k) return 0;
  memcpy(line, a[i], sizeof line);
  memcpy(other, a[k], sizeof other);
  OK(iCC_g_Bcast(line, (long)N, iCC_g_double_dtype, i % rows, in_column));
  OK(iCC_g_Bcast(other, (long)N, iCC_g_double_dtype, k % rows, in_column));
  if (row == i % rows) memcpy(a[i], other, sizeof other);
  if (row == k % rows) memcpy(a[k], line, sizeof line);
  return 0;
}

step(k) long k;
{
  long i, j;
  memcpy(line, a[k], sizeof line);
  OK(iCC_g_Bcast(line, (long)N, iCC_g_double_dtype, k % rows, in_column));
  for (i = k + 1; i < N; i++) {
    if (i % rows == row && col == k % cols) a[i][k] /= line[k];
    other[i] = a[i][k];
  }
  OK(iCC_g_Bcast(other, (long)N, iCC_g_double_dtype, k % cols, in_row));
  for (i = k + 1; i < N; i++)
    for (j = k + 1; j < N; j++)
      if (i % rows == row && j % cols == col) a[i][j] -= other[i] * line[j];
  return 0;
}

main() {
  long i, j, k, pivots[N], work;
  double trace = 0, t;
  iCC_initialize();
  iCC_g_Group_init();
  me = mynode(), p = numnodes();
  for (rows = 1; rows * rows < p || p % rows; rows++)
    ;
  cols = p / rows, row = me / cols, col = me % cols;
  in_row = members(row * cols, 1L, cols);
  in_column = members(col, cols, rows);
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) {
      whole[i][j] = element(i, j);
      a[i][j] = i % rows == row && j % cols == col ? element(i, j) : 1e30;
    }
  alone(pivots);
  for (k = 0; k < N; k++) {
    i = search(k);
    if (i != pivots[k]) bad++;
    exchange(i, k);
    step(k);
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      if (i % rows == row && j % cols == col) {
        if (a[i][j] != whole[i][j]) bad++;
        if (i == j) trace += a[i][j];
      }
  iCC_gdsum(&trace, 1L, &t);
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("LU on %ld x %ld nodes: trace %.6f, %ld wrong\n", rows, cols, trace, bad);
  return bad != 0;
}
