/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conjugate gradients for the five-point equations on a square, whose rows are distributed. Every
 * node first hears the size from node 0, the direction is collected on all nodes in each step, and
 * the answer is gathered on the last node, which compares it with the one it knows.
 */
#include <icc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern long mynode(), numnodes();

static long side, n, first, mine;

double known(i)
long i;
{ return (double)(i % 9) - 4 + (i / side) % 2; }

/* Row i of the matrix times v, of which all elements are here. */
double times(i, v)
long i;
double* v;
{
  double s = 4 * v[i];
  if (i % side > 0) s -= v[i - 1];
  if (i % side < side - 1) s -= v[i + 1];
  if (i >= side) s -= v[i - side];
  if (i < n - side) s -= v[i + side];
  return s;
}

double dot(a, b)
double *a, *b;
{
  double s = 0, work;
  long i;
  for (i = 0; i < mine; i++) s += a[i] * b[i];
  iCC_gdsum(&s, 1L, &work);
  return s;
}

double* vector(length)
long length;
{ return (double*)calloc(length + 1, sizeof(double)); }

main() {
  long me, p, i, r, got, steps = 0, bad = 0, work, bytes[64];
  double *x, *res, *d, *q, *all, rho, old, alpha, error = 0;
  iCC_initialize();
  me = mynode(), p = numnodes();
  side = me == 0 ? 23 : 0;
  iCC_bcast(&side, (long)sizeof side, 0L);
  n = side * side;
  first = n * me / p, mine = n * (me + 1) / p - first;
  for (r = 0; r < p; r++) bytes[r] = (n * (r + 1) / p - n * r / p) * sizeof(double);
  x = vector(mine), res = vector(mine), d = vector(mine), q = vector(mine), all = vector(n);
  for (i = 0; i < n; i++) all[i] = known(i);
  for (i = 0; i < mine; i++) d[i] = res[i] = times(first + i, all);
  rho = dot(res, res);
  while (rho > 1e-20 && steps < 500) {
    if (steps % 2)
      iCC_gcolx(d, bytes, all);
    else {
      iCC_gcol(d, bytes[me], all, (long)(n * sizeof(double)), &got);
      if (got != n * (long)sizeof(double)) bad++;
    }
    for (i = 0; i < mine; i++) q[i] = times(first + i, all);
    alpha = rho / dot(d, q);
    for (i = 0; i < mine; i++) x[i] += alpha * d[i], res[i] -= alpha * q[i];
    old = rho, rho = dot(res, res), steps++;
    for (i = 0; i < mine; i++) d[i] = res[i] + rho / old * d[i];
  }
  iCC_gather(x, bytes, all, p - 1);
  if (me == p - 1)
    for (i = 0; i < n; i++)
      if (fabs(all[i] - known(i)) > error) error = fabs(all[i] - known(i));
  iCC_gdhigh(&error, 1L, &alpha);
  if (!(error < 1e-8)) bad++;
  iCC_gisum(&bad, 1L, &work);
  if (me == 0)
    printf("conjugate gradients on %ld nodes: %s after %ld steps, %ld wrong\n", p,
           error < 1e-8 ? "right" : "wrong", steps, bad);
  return bad != 0;
}
