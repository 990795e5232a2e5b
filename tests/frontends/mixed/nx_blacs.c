/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NX and the BLACS 1.1 alternate in one program. Messages of either wait while the other
 * communicates, and a receive of NX that accepts everything never gets a message of the BLACS.
 */
#include <nx.h>
#include <stdio.h>
#include <tutti-blacs/tutti_blacs.h>

#define M 40
#define LDA 43

static long bad;
static double a[LDA * M], b[LDA * M];

#define CHECK(c) \
  if (!(c)) bad++, printf("node %ld: wrong at line %d\n", mynode(), __LINE__)

static double element(int i, int j, long node, int k) {
  return (double)(i + 100 * j + 10000 * node + k);
}

static void fill(double* matrix, long node, int k) {
  int i, j;
  for (j = 0; j < M; j++)
    for (i = 0; i < LDA; i++) matrix[i + j * LDA] = i < M ? element(i, j, node, k) : -1;
}

static void same(const double* matrix, long node, int k) {
  int i, j;
  for (j = 0; j < M; j++)
    for (i = 0; i < LDA; i++) CHECK(matrix[i + j * LDA] == (i < M ? element(i, j, node, k) : -1));
}

/* A matrix of the BLACS and two messages of NX are on their way while both compute sums. */
static void sums_and_messages(int context, int k) {
  const long me = mynode(), p = numnodes(), next = (me + 1) % p, before = (me + p - 1) % p;
  long note = 1000 * me + k, heard = -1, id = irecv(-1, &heard, sizeof heard);
  double sum = (double)me, work;
  int prow, pcol, i;
  fill(a, me, k);
  for (i = 0; i < LDA * M; i++) b[i] = -1;
  Cblacs_pcoord(context, (int)next, &prow, &pcol);
  Cdgesd2d(context, M, M, a, LDA, prow, pcol);
  csend(k, &note, sizeof note, next, 0);
  csend(k + 50, a, (long)sizeof(double) * (k + 1), next, 0);
  Cdgsum2d(context, "All", " ", 1, 1, &sum, 1, -1, -1);
  CHECK(sum == (double)(p * (p - 1) / 2));
  gdsum(&sum, 1, &work);
  CHECK(sum == (double)(p * p * (p - 1) / 2));
  msgwait(id);
  CHECK(infotype() == k && infonode() == before && heard == 1000 * before + k);
  Cblacs_pcoord(context, (int)before, &prow, &pcol);
  Cdgerv2d(context, M, M, b, LDA, prow, pcol);
  same(b, before, k);
  Cblacs_barrier(context, "All");
  crecv(-1, b, sizeof b);
  CHECK(infotype() == k + 50 && infocount() == (long)sizeof(double) * (k + 1));
  for (i = 0; i <= k; i++) CHECK(b[i] == element(i, 0, before, k));
}

/* A broadcast of the BLACS in rows, then a call of NX, and a sum of the BLACS in columns. */
static void rows_and_columns(int context, int k) {
  int nprow, npcol, myrow, mycol;
  double x = 0;
  Cblacs_gridinfo(context, &nprow, &npcol, &myrow, &mycol);
  CHECK(Cblacs_pnum(context, myrow, mycol) == mynode());
  if (mycol == k % npcol) {
    x = 3.5 * myrow;
    Cdgebs2d(context, "Row", " ", 1, 1, &x, 1);
  } else
    Cdgebr2d(context, "Row", " ", 1, 1, &x, 1, myrow, k % npcol);
  CHECK(x == 3.5 * myrow);
  CHECK(iprobe(-1) == 0);
  gsync();
  Cdgsum2d(context, "Column", " ", 1, 1, &x, 1, -1, -1);
  CHECK(x == 3.5 * (nprow * (nprow - 1) / 2));
}

int main(void) {
  const long p = numnodes();
  int context, number, count, rows, k;
  long work;
  Cblacs_pinfo(&number, &count);
  CHECK(number == mynode() && count == p);
  for (rows = 1; rows * rows < p || p % rows; rows++)
    ;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", rows, (int)p / rows);
  for (k = 0; k < 20; k++) {
    sums_and_messages(context, k);
    rows_and_columns(context, k);
  }
  Cblacs_gridexit(context);
  gisum(&bad, 1, &work);
  if (mynode() == 0) printf("NX and the BLACS on %ld nodes: %ld wrong\n", p, bad);
  return bad != 0;
}
