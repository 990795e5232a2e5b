/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The group interface: groups in every order, their communicators, and all collectives on them.
 */
#include <stdlib.h>
#include <string.h>

#include "iCC_group.h" /* the old name of the header */

#include "conformance.h"

/* The communicator under test: the nodes of its ranks, and this process's rank. */
static iCC_g_Comm comm;
static long rank, size, node_of[64];

static void broadcasts(void) {
  const iCC_g_Datatype types[] = {iCC_g_byte_dtype,   iCC_g_char_dtype,  iCC_g_int_dtype,
                                  iCC_g_long_dtype,   iCC_g_float_dtype, iCC_g_double_dtype,
                                  iCC_g_logical_dtype};
  const size_t bytes[] = {1,          1, sizeof(int), sizeof(long), sizeof(float), sizeof(double),
                          sizeof(int)};
  char x[8 * 50];
  for (int t = 0; t < 7; ++t) {
    EXPECT(types[t]->size == (long)bytes[t]);
    for (long root = 0; root < size; ++root) {
      memset(x, rank == root ? (int)root + 1 : 99, sizeof x);
      EXPECT(iCC_g_Bcast(x, 50, types[t], root, comm) == iCC_g_OK);
      for (size_t i = 0; i < sizeof x; ++i)
        EXPECT(x[i] == (i < 50 * bytes[t] || rank == root ? root + 1 : 99));
    }
  }
}

#define TEST_OPERATOR(name, T, dtype, op, combine)                                                 \
  static void test_##name(void) {                                                                  \
    enum { length = 300 };                                                                         \
    T x[length], wanted[length], y[length];                                                        \
    for (long i = 0; i < length; ++i) {                                                            \
      x[i] = (T)value(me, i);                                                                      \
      wanted[i] = (T)value(node_of[0], i);                                                         \
      for (long r = 1; r < size; ++r) {                                                            \
        const T a = wanted[i], b = (T)value(node_of[r], i);                                        \
        wanted[i] = (combine);                                                                     \
      }                                                                                            \
    }                                                                                              \
    EXPECT(iCC_g_Allreduce(x, y, length, dtype, op, comm) == iCC_g_OK);                            \
    EXPECT(memcmp(y, wanted, sizeof y) == 0);                                                      \
    for (long root = 0; root < size; ++root) {                                                     \
      memset(y, 0, sizeof y);                                                                      \
      EXPECT(iCC_g_Reduce(x, rank == root ? y : NULL, length, dtype, op, root, comm) == iCC_g_OK); \
      if (rank == root) EXPECT(memcmp(y, wanted, sizeof y) == 0);                                  \
    }                                                                                              \
    long counts[64], start = 0;                                                                    \
    for (long r = 0; r < size; ++r) counts[r] = part_of(r, 9);                                     \
    for (long r = 0; r < rank; ++r) start += counts[r];                                            \
    memset(y, 0, sizeof y);                                                                        \
    EXPECT(iCC_g_Reduce_scatter(x, y, counts, dtype, op, comm) == iCC_g_OK);                       \
    EXPECT(memcmp(y, wanted + start, (size_t)counts[rank] * sizeof(T)) == 0);                      \
    EXPECT(y[counts[rank]] == 0);                                                                  \
  }

TEST_OPERATOR(isum, int, iCC_g_int_dtype, iCC_g_ISUM, a + b)
TEST_OPERATOR(iprod, int, iCC_g_int_dtype, iCC_g_IPROD, a* b)
TEST_OPERATOR(imax, int, iCC_g_int_dtype, iCC_g_IMAX, a > b ? a : b)
TEST_OPERATOR(imin, int, iCC_g_int_dtype, iCC_g_IMIN, a < b ? a : b)
TEST_OPERATOR(lsum, long, iCC_g_long_dtype, iCC_g_ISUM, a + b)
TEST_OPERATOR(lprod, long, iCC_g_LONG, iCC_g_IPROD, a* b)
TEST_OPERATOR(lmax, long, iCC_g_long_dtype, iCC_g_IMAX, a > b ? a : b)
TEST_OPERATOR(lmin, long, iCC_g_long_dtype, iCC_g_IMIN, a < b ? a : b)
TEST_OPERATOR(ssum, float, iCC_g_float_dtype, iCC_g_SSUM, a + b)
TEST_OPERATOR(sprod, float, iCC_g_FLOAT, iCC_g_SPROD, a* b)
TEST_OPERATOR(smax, float, iCC_g_float_dtype, iCC_g_SMAX, a > b ? a : b)
TEST_OPERATOR(smin, float, iCC_g_float_dtype, iCC_g_SMIN, a < b ? a : b)
TEST_OPERATOR(dsum, double, iCC_g_double_dtype, iCC_g_DSUM, a + b)
TEST_OPERATOR(dprod, double, iCC_g_DOUBLE, iCC_g_DPROD, a* b)
TEST_OPERATOR(dmax, double, iCC_g_double_dtype, iCC_g_DMAX, a > b ? a : b)
TEST_OPERATOR(dmin, double, iCC_g_double_dtype, iCC_g_DMIN, a < b ? a : b)
TEST_OPERATOR(band, int, iCC_g_int_dtype, iCC_g_BAND, a& b)
TEST_OPERATOR(bor, long, iCC_g_long_dtype, iCC_g_BOR, a | b)

static void logical_operators(void) {
  int x[40], all[40], any[40];
  for (int i = 0; i < 40; ++i) x[i] = value(me, i) == 1;
  EXPECT(iCC_g_Allreduce(x, all, 40, iCC_g_logical_dtype, iCC_g_LAND, comm) == iCC_g_OK);
  EXPECT(iCC_g_Allreduce(x, any, 40, iCC_g_LOGICAL, iCC_g_LOR, comm) == iCC_g_OK);
  for (int i = 0; i < 40; ++i) {
    int of_all = 1, of_any = 0;
    for (long r = 0; r < size; ++r) {
      of_all = of_all && value(node_of[r], i) == 1;
      of_any = of_any || value(node_of[r], i) == 1;
    }
    EXPECT(all[i] == of_all && any[i] == of_any);
  }
}

/* Gathers, scatters and collects parts that lie one behind the other (displs NULL), or backwards
 * with gaps. With `everywhere`, all ranks give the lists, not only the root. */
static void parts(int apart, int everywhere) {
  enum { gap = 2, room = 2000 };
  long counts[64] = {0}, packed[64], displs[64], end = 0;
  for (long r = 0; r < size; ++r) {
    counts[r] = part_of(r, 11);
    packed[r] = end;
    end += counts[r];
  }
  for (long r = 0; r < size; ++r)
    displs[r] = apart ? end - packed[r] - counts[r] + gap * (size - r) : packed[r];
  int own[room], whole[room], back[room];
  for (long i = 0; i < counts[rank]; ++i) own[i] = (int)(100 * rank + i);
  for (long root = 0; root <= size; ++root) {
    const int at_root = rank == root || root == size; /* the last turn collects */
    long* lists = at_root || everywhere ? counts : NULL;
    long* places = apart && at_root ? displs : NULL;
    for (int i = 0; i < room; ++i) whole[i] = -1;
    if (root == size) {
      EXPECT(iCC_g_Allgatherv(own, counts[rank], iCC_g_int_dtype, whole, lists, places,
                              iCC_g_int_dtype, comm) == iCC_g_OK);
    } else {
      EXPECT(iCC_g_Gatherv(own, counts[rank], iCC_g_int_dtype, whole, lists, places,
                           iCC_g_int_dtype, root, comm) == iCC_g_OK);
    }
    long filled = 0;
    for (int i = 0; i < room; ++i) filled += whole[i] != -1;
    EXPECT(filled == (at_root ? end : 0));
    for (long r = 0; at_root && r < size; ++r)
      for (long i = 0; i < counts[r]; ++i) EXPECT(whole[displs[r] + i] == 100 * r + i);
    if (root == size) return;
    memset(back, 0, sizeof back);
    EXPECT(iCC_g_Scatterv(whole, lists, places, iCC_g_int_dtype, back, counts[rank],
                          iCC_g_int_dtype, root, comm) == iCC_g_OK);
    EXPECT(memcmp(back, own, (size_t)counts[rank] * sizeof(int)) == 0);
  }
}

/* Ints and bytes of the same length are the same message. */
static void types_of_both_ends(void) {
  int own = (int)rank + 5;
  char whole[64 * sizeof(int)];
  long counts[64];
  for (long r = 0; r < size; ++r) counts[r] = sizeof(int);
  EXPECT(iCC_g_Allgatherv(&own, 1, iCC_g_int_dtype, whole, counts, NULL, iCC_g_byte_dtype, comm) ==
         iCC_g_OK);
  for (long r = 0; r < size; ++r) {
    int theirs;
    memcpy(&theirs, whole + r * (long)sizeof(int), sizeof theirs);
    EXPECT(theirs == r + 5);
  }
}

static void all_collectives(int forced) {
  EXPECT(comm->source == rank);
  EXPECT(iCC_g_Barrier(comm) == iCC_g_OK);
  broadcasts();
  test_isum();
  test_iprod();
  test_imax();
  test_imin();
  test_lsum();
  test_lprod();
  test_lmax();
  test_lmin();
  test_ssum();
  test_sprod();
  test_smax();
  test_smin();
  test_dsum();
  test_dprod();
  test_dmax();
  test_dmin();
  test_band();
  test_bor();
  logical_operators();
  for (int apart = 0; apart < 2; ++apart) parts(apart, forced);
  types_of_both_ends();
}

static void use(iCC_g_Comm given, long count, const long* members) {
  comm = given;
  size = count;
  for (long r = 0; r < count; ++r) {
    node_of[r] = members[r];
    if (members[r] == me) rank = r;
  }
  /* A forced algorithm passes parts on, so it needs their lengths everywhere. */
  all_collectives(getenv("TUTTI_ICC") != NULL);
}

/* Makes a communicator of the listed nodes out of that of all, uses it and frees it. All nodes take
 * part in making it; those that are not listed get none. */
static void with_nodes(long count, long* members) {
  iCC_g_Group all, some;
  iCC_g_Comm made;
  int listed = 0;
  for (long r = 0; r < count; ++r) listed = listed || members[r] == me;
  EXPECT(iCC_g_Comm_group(iCC_g_COMM_WORLD, &all) == iCC_g_OK);
  EXPECT(iCC_g_Group_incl(all, count, members, &some) == iCC_g_OK);
  EXPECT(iCC_g_Comm_create(iCC_g_COMM_WORLD, some, &made) == iCC_g_OK);
  EXPECT((made != iCC_g_COMM_NULL) == listed);
  if (made != iCC_g_COMM_NULL) {
    use(made, count, members);
    /* A group of this group: its ranks backwards. */
    long backwards[64], nodes_backwards[64];
    iCC_g_Group own, reversed;
    iCC_g_Comm second;
    for (long r = 0; r < count; ++r) {
      backwards[r] = count - 1 - r;
      nodes_backwards[r] = members[backwards[r]];
    }
    EXPECT(iCC_g_Comm_group(made, &own) == iCC_g_OK);
    EXPECT(iCC_g_Group_incl(own, count, backwards, &reversed) == iCC_g_OK);
    EXPECT(iCC_g_Comm_create(made, reversed, &second) == iCC_g_OK);
    use(second, count, nodes_backwards);
    EXPECT(iCC_g_Comm_free(&second) == iCC_g_OK && second == iCC_g_COMM_NULL);
    EXPECT(iCC_g_Group_free(&reversed) == iCC_g_OK && reversed == iCC_g_GROUP_NULL);
    EXPECT(iCC_g_Group_free(&own) == iCC_g_OK);
    EXPECT(iCC_g_Comm_free(&made) == iCC_g_OK && made == iCC_g_COMM_NULL);
  }
  EXPECT(iCC_g_Group_free(&some) == iCC_g_OK);
  EXPECT(iCC_g_Group_free(&all) == iCC_g_OK);
}

void group_interface(void) {
  long all[64], members[64];
  for (long node = 0; node < nodes; ++node) all[node] = node;
  use(iCC_g_COMM_WORLD, nodes, all);
  use(iCC_g_COMM_SELF, 1, &me);
  with_nodes(nodes, all);
  /* Every second node; the upper half from the last one down; a row and a column of 2 x n/2. */
  long count = 0;
  for (long node = 0; node < nodes; node += 2) members[count++] = node;
  with_nodes(count, members);
  count = 0;
  for (long node = nodes - 1; node >= nodes / 2; --node) members[count++] = node;
  with_nodes(count, members);
  if (nodes < 4 || nodes % 2 != 0) return;
  with_nodes(nodes / 2, all);
  members[0] = 1;
  members[1] = 1 + nodes / 2;
  with_nodes(2, members);
}
