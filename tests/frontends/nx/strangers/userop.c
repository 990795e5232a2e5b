/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of the program's own by gopf: the pivot of a column, which is the element of largest
 * magnitude with its row, and the sum of complex numbers. */
#include <nx.h>
#include <stdio.h>
#define N 100

struct pivot {
  double value;
  long row;
} best[3], bestwork[3];
struct {
  float re, im;
} z[N], zwork[N];

/* Takes the larger magnitude; of equal ones, that of the lower row. */
pivot(a, b) struct pivot* a, *b;
{
  long i;
  double va, vb;
  for (i = 0; i < 3; i++) {
    va = a[i].value < 0 ? -a[i].value : a[i].value;
    vb = b[i].value < 0 ? -b[i].value : b[i].value;
    if (vb > va || (vb == va && b[i].row < a[i].row)) a[i] = b[i];
  }
}

void zadd(a, b) char *a, *b;
{
  float *x = (float*)a, *y = (float*)b;
  long i;
  for (i = 0; i < 2 * N; i++) x[i] += y[i];
}

long later(a, b)
double *a, *b;
{
  if (*b > *a) *a = *b;
  return 0;
}

main() {
  long me = mynode(), p = numnodes(), i, bad = 0, work;
  double last = me * 2.5, lastwork;

  best[0].value = me % 2 ? -(double)me : me;
  best[1].value = me % 2 ? 7 : -7; /* all are equal, so row 0 wins */
  best[2].value = (me * 3) % p == 1 ? 100 : 1;
  for (i = 0; i < 3; i++) best[i].row = 10 * me;
  gopf(best, (long)sizeof best, bestwork, pivot);
  if (best[0].row != 10 * (p - 1) || best[0].value * best[0].value != (p - 1) * (p - 1)) bad++;
  if (best[1].row != 0 || best[1].value != -7) bad++;
  for (i = 0; i < p && (i * 3) % p != 1; i++)
    ;
  if (i == p) i = 0;
  if (best[2].row != 10 * i) bad++;

  for (i = 0; i < N; i++) z[i].re = me + i, z[i].im = -me;
  gopf(z, sizeof z, zwork, zadd);
  for (i = 0; i < N; i++)
    if (z[i].re != p * (p - 1) / 2 + p * i || z[i].im != -(p * (p - 1) / 2)) bad++;

  gopf(&last, sizeof last, &lastwork, later);
  if (last != (p - 1) * 2.5) bad++;

  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0)
    printf("userop: ok on %ld nodes, the pivot is in row %ld\n", p, best[0].row);
  exit(bad != 0);
}
