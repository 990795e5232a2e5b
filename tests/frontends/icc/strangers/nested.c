/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups of groups: a group is halved until one node is left, and in each level all halves sum and
 * broadcast among themselves while the groups above stay in use. Every other level reverses the
 * order of its nodes.
 */
#include <iCC_group.h>
#include <stdio.h>

static long me, p, bad, levels;

#define CHECK(c) \
  if (!(c)) bad++, printf("node %ld, level %ld: wrong at line %d\n", me, level, __LINE__)

/* What the members of `comm` hold, collected, must be `nodes`. */
same(comm, nodes, n, level) iCC_g_Comm comm;
long *nodes, n, level;
{
  long counts[64], got[65], i, sum = 0, total = 0, last = me;
  for (i = 0; i < n; i++) counts[i] = 1, sum += nodes[i];
  got[n] = -1;
  CHECK(iCC_g_Allgatherv(&me, 1L, iCC_g_long_dtype, got, counts, (long*)0, iCC_g_long_dtype,
                         comm) == iCC_g_OK);
  for (i = 0; i < n; i++) CHECK(got[i] == nodes[i]);
  CHECK(got[n] == -1);
  CHECK(iCC_g_Allreduce(&me, &total, 1L, iCC_g_long_dtype, iCC_g_ISUM, comm) == iCC_g_OK);
  CHECK(total == sum);
  CHECK(iCC_g_Bcast(&last, 1L, iCC_g_long_dtype, n - 1, comm) == iCC_g_OK);
  CHECK(last == nodes[n - 1]);
  return 0;
}

halve(comm, nodes, n, level) iCC_g_Comm comm;
long *nodes, n, level;
{
  iCC_g_Group group, half;
  iCC_g_Comm below;
  long i, from, to, size, list[64], below_nodes[64], rank = comm->source;
  same(comm, nodes, n, level);
  if (level > levels) levels = level;
  if (n == 1) return 0;
  from = rank < n / 2 ? 0 : n / 2, to = rank < n / 2 ? n / 2 : n;
  size = to - from;
  for (i = 0; i < size; i++) list[i] = level % 2 ? from + i : to - 1 - i;
  for (i = 0; i < size; i++) below_nodes[i] = nodes[list[i]];
  CHECK(iCC_g_Comm_group(comm, &group) == iCC_g_OK);
  CHECK(iCC_g_Group_incl(group, size, list, &half) == iCC_g_OK);
  CHECK(iCC_g_Group_free(&group) == iCC_g_OK);
  CHECK(iCC_g_Comm_create(comm, half, &below) == iCC_g_OK);
  CHECK(iCC_g_Group_free(&half) == iCC_g_OK);
  halve(below, below_nodes, size, level + 1);
  same(comm, nodes, n, level);
  /* The group can be read from its communicator again. */
  CHECK(iCC_g_Comm_group(below, &group) == iCC_g_OK);
  CHECK(iCC_g_Comm_free(&below) == iCC_g_OK);
  CHECK(iCC_g_Group_free(&group) == iCC_g_OK);
  same(comm, nodes, n, level);
  return 0;
}

main() {
  long work, i, nodes[64];
  int round;
  iCC_initialize();
  iCC_g_Group_init();
  me = iCC_g_COMM_WORLD->source;
  p = 1;
  iCC_gisum(&p, 1L, &work);
  for (i = 0; i < p; i++) nodes[i] = i;
  /* Communicators that are freed must leave nothing behind. */
  for (round = 0; round < 100; round++) halve(iCC_g_COMM_WORLD, nodes, p, 0L);
  iCC_gihigh(&levels, 1L, &work);
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("nested groups of %ld nodes: %ld levels, %ld wrong\n", p, levels, bad);
  return bad != 0;
}
