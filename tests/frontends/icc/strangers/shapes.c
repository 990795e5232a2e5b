/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups that are no rectangle of the mesh: a diagonal, the letter L, every third node, the nodes
 * in a shuffled order, and all but the middle one. The other nodes have another group at the same
 * time, or none.
 */
#include <iCC_group.h>
#include <stdio.h>

#define MAXP 64
#define BYTES 30011

extern long mynode(), numnodes();

static long me, p, side, bad, members;
static unsigned char data[BYTES + 1], parts[MAXP * 100];

/* Whether `node` belongs to shape s. */
in_shape(s, node) int s;
long node;
{
  long row = node / side, col = node % side;
  switch (s) {
    case 0:
      return row == col;
    case 1:
      return col == 0 || row == (p - 1) / side;
    case 2:
      return node % 3 == 0;
    case 3:
      return 1;
    case 4:
      return p == 1 || node != p / 2;
    default:
      return (node * node + row) % 4 < 2;
  }
}

/* Lists the members, or the nodes that are none, in an order of the shape. */
long list(s, inside, ranks)
int s, inside;
long* ranks;
{
  long r, n = 0, t;
  for (r = 0; r < p; r++)
    if (!in_shape(s, r) == !inside) ranks[n++] = r;
  if (s == 3)
    for (r = 0; r < n; r++) {
      long other = (r * 5 + 3) % n;
      t = ranks[r], ranks[r] = ranks[other], ranks[other] = t;
    }
  if (s == 4)
    for (r = 0; r < n / 2; r++) t = ranks[r], ranks[r] = ranks[n - 1 - r], ranks[n - 1 - r] = t;
  return n;
}

wrong(s, line) int s, line;
{
  if (bad++ < 5) printf("node %ld: shape %d is wrong at line %d\n", me, s, line);
  return 0;
}
#define CHECK(c) \
  if (!(c)) wrong(s, __LINE__)

use(s, comm, ranks, n) int s;
iCC_g_Comm comm;
long *ranks, n;
{
  long i, r, root, mine[3], all[3], counts[MAXP], at, sum = 0, rank = comm->source;
  CHECK(rank >= 0 && rank < n && ranks[rank] == me);
  for (root = 0; root < n; root++) {
    data[BYTES] = 200;
    for (i = 0; i < BYTES; i++) data[i] = rank == root ? (unsigned char)(i + me * 3) : 0;
    CHECK(iCC_g_Bcast(data, (long)BYTES, iCC_g_char_dtype, root, comm) == iCC_g_OK);
    for (i = 0; i < BYTES; i++)
      if (data[i] != (unsigned char)(i + ranks[root] * 3)) break;
    CHECK(i == BYTES && data[BYTES] == 200);
  }
  for (r = 0; r < n; r++) counts[r] = ranks[r] % 100, sum += ranks[r];
  for (i = 0; i < counts[rank]; i++) data[i] = (unsigned char)(me + i);
  CHECK(iCC_g_Allgatherv(data, counts[rank], iCC_g_byte_dtype, parts, counts, (long*)0,
                         iCC_g_byte_dtype, comm) == iCC_g_OK);
  for (r = at = 0; r < n; at += counts[r++])
    for (i = 0; i < counts[r]; i++) CHECK(parts[at + i] == (unsigned char)(ranks[r] + i));
  mine[0] = me, mine[1] = 1, mine[2] = -me;
  CHECK(iCC_g_Allreduce(mine, all, 3L, iCC_g_long_dtype, iCC_g_ISUM, comm) == iCC_g_OK);
  CHECK(all[0] == sum && all[1] == n && all[2] == -sum);
  members += n;
  return 0;
}

main() {
  int s;
  long ranks[MAXP], n, work;
  iCC_g_Group world, group;
  iCC_g_Comm comm;
  iCC_initialize();
  iCC_g_Group_init();
  me = mynode();
  p = numnodes();
  for (side = 1; side * side < p; side++)
    ;
  iCC_g_Comm_group(iCC_g_COMM_WORLD, &world);
  for (s = 0; s < 12; s++) {
    int shape = s % 6, inside = in_shape(shape, me);
    if (s < 6 && !inside) {
      /* The others of the world may call with the same group, and get nothing. */
      n = list(shape, 1, ranks);
      CHECK(iCC_g_Group_incl(world, n, ranks, &group) == iCC_g_OK);
      CHECK(iCC_g_Comm_create(iCC_g_COMM_WORLD, group, &comm) == iCC_g_OK);
      CHECK(comm == iCC_g_COMM_NULL);
      CHECK(iCC_g_Group_free(&group) == iCC_g_OK);
      continue;
    }
    n = list(shape, inside, ranks);
    CHECK(iCC_g_Group_incl(world, n, ranks, &group) == iCC_g_OK);
    CHECK(iCC_g_Comm_create(iCC_g_COMM_WORLD, group, &comm) == iCC_g_OK);
    use(s, comm, ranks, n);
    CHECK(iCC_g_Comm_free(&comm) == iCC_g_OK);
    CHECK(iCC_g_Group_free(&group) == iCC_g_OK);
  }
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("shapes on %ld nodes: %ld members, %ld wrong\n", p, members, bad);
  return bad != 0;
}
