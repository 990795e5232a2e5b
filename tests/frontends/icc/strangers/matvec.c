/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The product of a matrix and a vector on a mesh of nodes. The vector is collected within the
 * columns, each node multiplies its block, and the rows sum: once with a distributed combine, once
 * with a sum on all nodes of the row and once on the first. The lengths do not divide evenly.
 */
#include <stdio.h>
#include <stdlib.h>
#include "icc.h"

#define N 203

static long rows, cols, row, col, i0, i1, j0, j1, bad, counts[64];
static double xs[N + 1], ys[N + 1], y1[N + 1], part[N + 1];
static iCC_g_Comm in_row, in_column;

/* Block b of n numbers in k blocks begins here. */
long begin(n, k, b)
long n, k, b;
{ return n * b / k; }

double a(i, j)
long i, j;
{ return (double)((i * 17 + j * 5) % 11 - 5); }

double x(j)
long j;
{ return (double)(j % 7 - 3); }

iCC_g_Comm split(n, first, stride)
long n, first, stride;
{
  long i, *list = (long*)malloc(n * sizeof(long));
  iCC_g_Group all, some;
  iCC_g_Comm comm;
  for (i = 0; i < n; i++) list[i] = first + i * stride;
  iCC_g_Comm_group(iCC_g_COMM_WORLD, &all);
  iCC_g_Group_incl(all, n, list, &some);
  iCC_g_Comm_create(iCC_g_COMM_WORLD, some, &comm);
  iCC_g_Group_free(&some);
  iCC_g_Group_free(&all);
  free(list);
  return comm;
}

/* The columns of nodes collect their piece of x, which begins distributed. */
collect() {
  long b, j, at = j0 + begin(j1 - j0, rows, row);
  for (b = 0; b < rows; b++) counts[b] = begin(j1 - j0, rows, b + 1) - begin(j1 - j0, rows, b);
  for (j = 0; j < counts[row]; j++) part[j] = x(at + j);
  if (iCC_g_Allgatherv(part, counts[row], iCC_g_double_dtype, xs, counts, (long*)0,
                       iCC_g_double_dtype, in_column) != iCC_g_OK)
    bad++;
  for (j = j0; j < j1; j++)
    if (xs[j - j0] != x(j)) bad++;
  return 0;
}

/* Each node multiplies its block, and the rows sum in all three ways. */
multiply() {
  long b, i, j, n = i1 - i0;
  for (i = i0; i < i1; i++) {
    part[i - i0] = 0;
    for (j = j0; j < j1; j++) part[i - i0] += a(i, j) * xs[j - j0];
  }
  for (b = 0; b < cols; b++) counts[b] = begin(n, cols, b + 1) - begin(n, cols, b);
  if (iCC_g_Reduce_scatter(part, ys, counts, iCC_g_double_dtype, iCC_g_DSUM, in_row) != iCC_g_OK)
    bad++;
  if (iCC_g_Allreduce(part, xs, n, iCC_g_double_dtype, iCC_g_DSUM, in_row) != iCC_g_OK) bad++;
  if (iCC_g_Reduce(part, y1, n, iCC_g_double_dtype, iCC_g_DSUM, 0L, in_row) != iCC_g_OK) bad++;
  return 0;
}

/* Returns this node's share of a checksum of the answer. */
double compare() {
  long i, j, mine = begin(i1 - i0, cols, col);
  double want, checksum = 0;
  for (i = 0; i < i1 - i0; i++) {
    for (want = 0, j = 0; j < N; j++) want += a(i0 + i, j) * x(j);
    if (xs[i] != want) bad++;
    if (col == 0 && y1[i] != want) bad++;
    if (i >= mine && i < mine + counts[col]) {
      if (ys[i - mine] != want) bad++;
      checksum += want * (i0 + i);
    }
  }
  return checksum;
}

main() {
  long me, p = 1, work;
  double checksum, w;
  iCC_initialize();
  iCC_g_Group_init();
  me = iCC_g_COMM_WORLD->source;
  iCC_gisum(&p, 1L, &work);
  for (rows = 1; rows * rows < p || p % rows; rows++)
    ;
  cols = p / rows;
  row = me / cols, col = me % cols;
  in_row = split(cols, row * cols, 1L);
  in_column = split(rows, col, cols);
  i0 = begin((long)N, rows, row), i1 = begin((long)N, rows, row + 1);
  j0 = begin((long)N, cols, col), j1 = begin((long)N, cols, col + 1);
  collect();
  multiply();
  checksum = compare();
  iCC_gdsum(&checksum, 1L, &w);
  iCC_gisum(&bad, 1L, &work);
  if (me == 0)
    printf("A x on %ld x %ld nodes: checksum %.0f, %ld wrong\n", rows, cols, checksum, bad);
  return bad != 0;
}
