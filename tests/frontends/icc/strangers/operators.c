/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A dot product, and a product of vectors with every operator and type of both interfaces. Each
 * node computes by itself what must come out.
 */
#include <iCC_group.h>
#include <stdio.h>
#include <string.h>

#define N 37
#define MAXP 64

static long me, p, bad;
static long lx[N], lw[N];
static int ix[N], iw[N];
static float fx[N], fw[N];
static double dx[N], dw[N];

#define CHECK(c) \
  if (!(c)) bad++, printf("node %ld: wrong at line %d\n", me, __LINE__)

/* What node r holds at place i. Products of 64 of them are exact in a float. */
long value(r, i)
long r, i;
{ return (r * 7 + i) % 5 == 0 ? 2 : (r + i) % 3 == 0 ? -1 : 1; }

/* The combination on p nodes: 0 sum, 1 product, 2 largest, 3 smallest, 4 and, 5 or, 6 exclusive or.
 */
long expected(op, i, logical)
int op, logical;
long i;
{
  long r, v, a = 0;
  for (r = 0; r < p; r++) {
    v = value(r, i);
    if (logical) v = v == 2 ? 0 : 1;
    if (r == 0)
      a = v;
    else if (op == 0)
      a += v;
    else if (op == 1)
      a *= v;
    else if (op == 2)
      a = v > a ? v : a;
    else if (op == 3)
      a = v < a ? v : a;
    else if (op == 4)
      a &= v;
    else if (op == 5)
      a |= v;
    else
      a ^= v;
  }
  return a;
}

fill(logical) int logical;
{
  long i, v;
  for (i = 0; i < N; i++) {
    v = value(me, i);
    /* Each number but 0 is true. One node has nothing to combine, and keeps its numbers. */
    if (logical) v = v == 2 ? 0 : p == 1 ? 1 : 1 + i;
    lx[i] = v, ix[i] = (int)v, fx[i] = (float)v, dx[i] = (double)v;
  }
  return 0;
}

typedef void (*combine)();
static combine of_long[] = {(combine)iCC_gisum, (combine)iCC_giprod, (combine)iCC_gihigh,
                            (combine)iCC_gilow, (combine)iCC_giand,  (combine)iCC_gior,
                            (combine)iCC_gixor};
static combine of_float[] = {(combine)iCC_gssum, (combine)iCC_gsprod, (combine)iCC_gshigh,
                             (combine)iCC_gslow};
static combine of_double[] = {(combine)iCC_gdsum, (combine)iCC_gdprod, (combine)iCC_gdhigh,
                              (combine)iCC_gdlow};
static combine of_truth[] = {(combine)iCC_gland, (combine)iCC_glor, (combine)iCC_glxor};

simple() {
  long i;
  int op;
  for (op = 0; op < 7; op++) {
    fill(0);
    of_long[op](lx, (long)N, lw);
    for (i = 0; i < N; i++) CHECK(lx[i] == expected(op, i, 0));
  }
  for (op = 0; op < 4; op++) {
    fill(0);
    of_float[op](fx, (long)N, fw);
    of_double[op](dx, (long)N, dw);
    for (i = 0; i < N; i++) CHECK(fx[i] == expected(op, i, 0) && dx[i] == expected(op, i, 0));
  }
  for (op = 0; op < 3; op++) {
    fill(1);
    of_truth[op](lx, (long)N, lw);
    for (i = 0; i < N; i++) CHECK(lx[i] == expected(op + 4, i, 1));
  }
  return 0;
}

/* Both results of the group interface: on all nodes, and on the last one. */
all_and_one(from, to, type, op, what) char* from, *to;
iCC_g_Datatype type;
iCC_g_Op op;
int what;
{
  long size = type->size * N;
  char first[sizeof(double) * N];
  memset(to, 0x33, size);
  CHECK(iCC_g_Allreduce(from, to, (long)N, type, op, iCC_g_COMM_WORLD) == iCC_g_OK);
  memcpy(first, to, size);
  memset(to, 0x33, size);
  CHECK(iCC_g_Reduce(from, to, (long)N, type, op, p - 1, iCC_g_COMM_WORLD) == iCC_g_OK);
  if (me == p - 1) CHECK(memcmp(first, to, size) == 0);
  memcpy(to, first, size);
  return what;
}

groups() {
  long i;
  int op;
  iCC_g_Op iop[6], sop[4], dop[4];
  iop[0] = iCC_g_ISUM, iop[1] = iCC_g_IPROD, iop[2] = iCC_g_IMAX, iop[3] = iCC_g_IMIN;
  iop[4] = iCC_g_BAND, iop[5] = iCC_g_BOR;
  sop[0] = iCC_g_SSUM, sop[1] = iCC_g_SPROD, sop[2] = iCC_g_SMAX, sop[3] = iCC_g_SMIN;
  dop[0] = iCC_g_DSUM, dop[1] = iCC_g_DPROD, dop[2] = iCC_g_DMAX, dop[3] = iCC_g_DMIN;
  fill(0);
  for (op = 0; op < 6; op++) {
    all_and_one((char*)lx, (char*)lw, iCC_g_long_dtype, iop[op], op);
    all_and_one((char*)ix, (char*)iw, iCC_g_int_dtype, iop[op], op);
    for (i = 0; i < N; i++) CHECK(lw[i] == expected(op, i, 0) && iw[i] == expected(op, i, 0));
  }
  for (op = 0; op < 4; op++) {
    all_and_one((char*)fx, (char*)fw, iCC_g_float_dtype, sop[op], op);
    all_and_one((char*)dx, (char*)dw, iCC_g_double_dtype, dop[op], op);
    for (i = 0; i < N; i++) CHECK(fw[i] == expected(op, i, 0) && dw[i] == expected(op, i, 0));
  }
  fill(1);
  for (op = 4; op < 6; op++) {
    all_and_one((char*)ix, (char*)iw, iCC_g_logical_dtype, op == 4 ? iCC_g_LAND : iCC_g_LOR, op);
    for (i = 0; i < N; i++) CHECK((iw[i] != 0) == expected(op, i, 1));
  }
  /* These operators are for other types. */
  CHECK(iCC_g_Allreduce(dx, dw, (long)N, iCC_g_double_dtype, iCC_g_ISUM, iCC_g_COMM_WORLD) ==
        iCC_g_ERROR_DATATYPE_MISMATCH);
  CHECK(iCC_g_Allreduce(lx, lw, (long)N, iCC_g_long_dtype, iCC_g_DMAX, iCC_g_COMM_WORLD) ==
        iCC_g_ERROR_DATATYPE_MISMATCH);
  CHECK(iCC_g_Allreduce(dx, dw, (long)N, iCC_g_double_dtype, iCC_g_LAND, iCC_g_COMM_WORLD) ==
        iCC_g_ERROR_DATATYPE_MISMATCH);
  return 0;
}

/* The dot product of (1, 2, ..., 100 p) with itself; each node has 100 elements. */
double dot() {
  double s = 0, w;
  long i;
  for (i = 1; i <= 100; i++) s += (double)(100 * me + i) * (double)(100 * me + i);
  iCC_gdsum(&s, 1L, &w);
  return s;
}

/* A product of matrices, which must be taken in the order of the nodes: x = x work. */
times(x, work) long* x, *work;
{
  long a = x[0] * work[0] + x[1] * work[2], b = x[0] * work[1] + x[1] * work[3];
  long c = x[2] * work[0] + x[3] * work[2], d = x[2] * work[1] + x[3] * work[3];
  x[0] = a, x[1] = b, x[2] = c, x[3] = d;
  return 0;
}

product() {
  long m[4], work[4], all[4], one[4], r;
  m[0] = 1, m[1] = me + 1, m[2] = me % 2, m[3] = 1;
  all[0] = 1, all[1] = 0, all[2] = 0, all[3] = 1;
  for (r = 0; r < p; r++) {
    one[0] = 1, one[1] = r + 1, one[2] = r % 2, one[3] = 1;
    times(all, one);
  }
  iCC_gopf(m, (long)sizeof m, work, times);
  CHECK(memcmp(m, all, sizeof m) == 0);
  return 0;
}

main() {
  long work;
  double n, s;
  iCC_initialize();
  iCC_g_Group_init();
  me = iCC_g_COMM_WORLD->source;
  p = 1;
  iCC_gisum(&p, 1L, &work);
  simple();
  groups();
  product();
  s = dot();
  n = 100.0 * p;
  CHECK(s == n * (n + 1) * (2 * n + 1) / 6);
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("operators on %ld nodes: x'x = %.0f, %ld wrong\n", p, s, bad);
  return bad != 0;
}
