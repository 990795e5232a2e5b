/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups of the rows and of the columns of a mesh, with every call of the group interface in them.
 * All rows work at the same time, then all columns.
 */
#include <iCC_group.h>
#include <stdio.h>
#include <string.h>

#define MAXP 64
#define UNIT 600

extern long mynode(), numnodes();

static long me, p, rows, cols, bad, calls;
static long counts[MAXP], displs[MAXP], ranks[MAXP];
static float in[MAXP * UNIT], out[MAXP * UNIT];

#define CHECK(c) \
  if (!(c)) bad++, printf("node %ld: wrong at line %d\n", me, __LINE__)
#define OK(call) \
  calls++;       \
  CHECK((call) == iCC_g_OK)

/* Makes the group of n nodes from `first` on, `stride` apart. */
iCC_g_Comm line(first, stride, n)
long first, stride, n;
{
  iCC_g_Group all, some;
  iCC_g_Comm comm;
  long i;
  for (i = 0; i < n; i++) ranks[i] = first + i * stride;
  OK(iCC_g_Comm_group(iCC_g_COMM_WORLD, &all));
  OK(iCC_g_Group_incl(all, n, ranks, &some));
  OK(iCC_g_Comm_create(iCC_g_COMM_WORLD, some, &comm));
  OK(iCC_g_Group_free(&some));
  OK(iCC_g_Group_free(&all));
  return comm;
}

float value(node, i)
long node, i;
{ return (float)(node * 1000 + i % 500); }

/* Uneven counts, and places with holes between them. */
long layout(n, unit)
long n, unit;
{
  long r, at = 0;
  for (r = 0; r < n; r++) {
    counts[r] = r % 3 * unit;
    displs[r] = at;
    at += counts[r] + r % 2;
  }
  return at;
}

vectors(comm, first, stride, n, rank, unit) iCC_g_Comm comm;
long first, stride, n, rank, unit;
{
  long i, r, root, end, at;
  int packed;
  end = layout(n, unit);
  for (packed = 0; packed < 2; packed++) {
    long* where = packed ? (long*)0 : displs;
    for (root = 0; root < n; root++) {
      for (i = 0; i < counts[rank]; i++) in[i] = value(me, i);
      for (i = 0; i <= end; i++) out[i] = -3;
      OK(iCC_g_Gatherv(in, counts[rank], iCC_g_float_dtype, out, counts, where, iCC_g_float_dtype,
                       root, comm));
      for (r = at = 0; r < n; at += counts[r++])
        for (i = 0; i < counts[r]; i++)
          CHECK(out[(packed ? at : displs[r]) + i] ==
                (rank == root ? value(first + r * stride, i) : -3));
      CHECK(out[end] == -3);
      in[counts[rank]] = -4;
      for (i = 0; i < counts[rank]; i++) in[i] = 0;
      OK(iCC_g_Scatterv(out, counts, where, iCC_g_float_dtype, in, counts[rank], iCC_g_float_dtype,
                        root, comm));
      for (i = 0; i < counts[rank]; i++) CHECK(in[i] == value(me, i));
      CHECK(in[counts[rank]] == -4);
    }
    for (i = 0; i <= end; i++) out[i] = -3;
    OK(iCC_g_Allgatherv(in, counts[rank], iCC_g_float_dtype, out, counts, where, iCC_g_float_dtype,
                        comm));
    for (r = at = 0; r < n; at += counts[r++]) {
      for (i = 0; i < counts[r]; i++)
        CHECK(out[(packed ? at : displs[r]) + i] == value(first + r * stride, i));
      if (!packed && r % 2) CHECK(out[displs[r] + counts[r]] == -3);
    }
  }
  return 0;
}

reductions(comm, first, stride, n, rank, unit) iCC_g_Comm comm;
long first, stride, n, rank, unit;
{
  long i, root, all = 0, mine = 0;
  float sum = 0;
  for (i = 0; i < n; i++) {
    sum += value(first + i * stride, 0L);
    if (i < rank) mine += counts[i];
    all += counts[i];
  }
  for (i = 0; i < all; i++) in[i] = value(me, i);
  OK(iCC_g_Reduce_scatter(in, out, counts, iCC_g_float_dtype, iCC_g_SSUM, comm));
  for (i = 0; i < counts[rank]; i++) CHECK(out[i] == sum + n * ((mine + i) % 500));
  OK(iCC_g_Allreduce(in, out, unit, iCC_g_float_dtype, iCC_g_SMAX, comm));
  for (i = 0; i < unit && i < all; i++) CHECK(out[i] == value(first + (n - 1) * stride, i));
  for (root = 0; root < n; root++) {
    out[0] = -5;
    OK(iCC_g_Reduce(in, out, 1L, iCC_g_float_dtype, iCC_g_SMIN, root, comm));
    CHECK(out[0] == (rank == root ? value(first, 0L) : -5) || n == 1);
    OK(iCC_g_Barrier(comm));
    for (i = 0; i < unit; i++) out[i] = rank == root ? value(me, i) : 0;
    OK(iCC_g_Bcast(out, unit, iCC_g_float_dtype, root, comm));
    for (i = 0; i < unit; i++) CHECK(out[i] == value(first + root * stride, i));
  }
  return 0;
}

all_calls(first, stride, n) long first, stride, n;
{
  long rank = (me - first) / stride, unit;
  iCC_g_Comm comm = line(first, stride, n);
  CHECK(comm != iCC_g_COMM_NULL && comm->source == rank);
  for (unit = 1; unit <= UNIT / 2; unit = unit * 16 + 1) {
    vectors(comm, first, stride, n, rank, unit);
    reductions(comm, first, stride, n, rank, unit);
  }
  OK(iCC_g_Comm_free(&comm));
  CHECK(comm == iCC_g_COMM_NULL);
  return 0;
}

main() {
  long work;
  iCC_initialize();
  iCC_g_Group_init();
  me = mynode();
  p = numnodes();
  for (rows = 1; rows * rows < p || p % rows; rows++)
    ;
  cols = p / rows;
  all_calls(me / cols * cols, 1L, cols);
  all_calls(me % cols, cols, rows);
  all_calls(0L, 1L, p);
  iCC_gisum(&bad, 1L, &work);
  if (me == 0)
    printf("rows and columns of %ld x %ld nodes: %ld calls, %ld wrong\n", rows, cols, calls, bad);
  return bad != 0;
}
