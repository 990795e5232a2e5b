/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums over groups of eight nodes, which form a mesh of 2 x 4. mesh.py reads from TUTTI_EXPLAIN by
 * which plan each sum was served. With WITH_NX the program has the call of NX that gives the mesh.
 */
#include <stdio.h>

#include "icc.h"

#ifdef WITH_NX
TUTTI_API long nx_app_rect(long* rows, long* columns);
long nx_app_rect(long* rows, long* columns) {
  *rows = 2;
  *columns = 4;
  return 0;
}
#endif

static const long groups[][5] = {
    /* the number of nodes, and the nodes */
    {4, 0, 1, 4, 5}, /* a rectangle */
    {2, 1, 5},       /* a column */
    {3, 5, 6, 7},    /* a part of a row */
    {4, 0, 4, 1, 5}, /* the rectangle column by column, which is a line of ranks */
    {3, 0, 2, 5}     /* scattered nodes */
};

int main(void) {
  double x = 1, y, work;
  iCC_g_Group all;
  iCC_initialize();
  iCC_gdsum(&x, 1, &work);
  if (x != 8 || iCC_g_Group_init() != iCC_g_OK) return 1;
  iCC_g_Comm_group(iCC_g_COMM_WORLD, &all);
  for (int i = 0; i < 5; ++i) {
    long ranks[4];
    iCC_g_Group some;
    iCC_g_Comm comm;
    x = 1;
    for (long r = 0; r < groups[i][0]; ++r) ranks[r] = groups[i][r + 1];
    if (iCC_g_Group_incl(all, groups[i][0], ranks, &some) != iCC_g_OK) return 1;
    if (iCC_g_Comm_create(iCC_g_COMM_WORLD, some, &comm) != iCC_g_OK) return 1;
    if (comm == iCC_g_COMM_NULL) continue;
    iCC_g_Allreduce(&x, &y, 1, iCC_g_double_dtype, iCC_g_DSUM, comm);
    if (y != (double)groups[i][0]) return 1;
  }
  return 0;
}
