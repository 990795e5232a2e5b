/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The error codes of the group interface. All ranks make the same mistakes, and none of them waits.
 */
#include <stddef.h>

#include "conformance.h"

static void groups(void) {
  iCC_g_Group all, made = NULL, small;
  iCC_g_Comm comm, self = iCC_g_COMM_SELF, null = iCC_g_COMM_NULL;
  long zero = 0, twice[] = {0, 0}, beyond = nodes, below = -1;
  EXPECT(iCC_g_Comm_group(iCC_g_COMM_NULL, &all) == iCC_g_ERROR_COMM_NULL);
  EXPECT(iCC_g_Comm_group(iCC_g_COMM_WORLD, NULL) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Comm_group(iCC_g_COMM_WORLD, &all) == iCC_g_OK);
  EXPECT(iCC_g_Group_incl(iCC_g_GROUP_NULL, 1, &zero, &made) == iCC_g_ERROR_GROUP_NULL);
  EXPECT(iCC_g_Group_incl(all, 0, &zero, &made) == iCC_g_ERROR_GROUP_EMPTY);
  EXPECT(iCC_g_Group_incl(all, -1, &zero, &made) == iCC_g_ERROR_GROUP_EMPTY);
  EXPECT(iCC_g_Group_incl(all, 1, NULL, &made) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Group_incl(all, 1, &zero, NULL) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Group_incl(all, 2, twice, &made) == iCC_g_ERROR_MYPOS);
  EXPECT(iCC_g_Group_incl(all, 1, &beyond, &made) == iCC_g_ERROR_MYPOS);
  EXPECT(iCC_g_Group_incl(all, 1, &below, &made) == iCC_g_ERROR_MYPOS);
  EXPECT(iCC_g_Comm_create(iCC_g_COMM_WORLD, iCC_g_GROUP_NULL, &comm) == iCC_g_ERROR_GROUP_NULL);
  EXPECT(iCC_g_Comm_create(iCC_g_COMM_NULL, all, &comm) == iCC_g_ERROR_COMM_NULL);
  EXPECT(iCC_g_Comm_create(iCC_g_COMM_WORLD, all, NULL) == iCC_g_ERROR_NULL);
  if (nodes > 1) EXPECT(iCC_g_Comm_create(self, all, &comm) == iCC_g_ERROR_MEMBERSHIP);
  EXPECT(iCC_g_Comm_free(&null) == iCC_g_ERROR_COMM_NULL);
  EXPECT(iCC_g_Comm_free(NULL) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Comm_free(&self) == iCC_g_ERROR_COMM_NULL && self == iCC_g_COMM_SELF);
  EXPECT(iCC_g_Group_incl(all, 1, &zero, &small) == iCC_g_OK);
  made = small;
  EXPECT(iCC_g_Group_free(&small) == iCC_g_OK);
  EXPECT(iCC_g_Group_free(&small) == iCC_g_ERROR_GROUP_NULL);
  EXPECT(iCC_g_Group_free(NULL) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Group_incl(made, 1, &zero, &small) == iCC_g_ERROR_GROUP_NULL); /* it was freed */
  EXPECT(iCC_g_Group_free(&all) == iCC_g_OK);
}

static void combines(void) {
  const iCC_g_Comm world = iCC_g_COMM_WORLD;
  const iCC_g_Datatype integer = iCC_g_int_dtype;
  struct iCC_g_datatype foreign = {4};
  struct iCC_g_operator strange = {0};
  int x[2] = {1, 2}, y[2];
  EXPECT(iCC_g_Allreduce(x, y, 2, integer, iCC_g_ISUM, NULL) == iCC_g_ERROR_COMM_NULL);
  EXPECT(iCC_g_Allreduce(x, y, 2, NULL, iCC_g_ISUM, world) == iCC_g_ERROR_DATATYPE_NULL);
  EXPECT(iCC_g_Allreduce(x, y, 2, &foreign, iCC_g_ISUM, world) == iCC_g_ERROR_DATATYPE_MISMATCH);
  EXPECT(iCC_g_Allreduce(x, y, 2, integer, iCC_g_OP_NULL, world) == iCC_g_ERROR_OP_NULL);
  EXPECT(iCC_g_Allreduce(x, y, 2, integer, &strange, world) == iCC_g_ERROR_OP_NULL);
  EXPECT(iCC_g_Allreduce(x, y, 2, integer, iCC_g_DSUM, world) == iCC_g_ERROR_DATATYPE_MISMATCH);
  EXPECT(iCC_g_Allreduce(x, y, 2, integer, iCC_g_LAND, world) == iCC_g_ERROR_DATATYPE_MISMATCH);
  EXPECT(iCC_g_Allreduce(x, y, 8, iCC_g_byte_dtype, iCC_g_BOR, world) ==
         iCC_g_ERROR_DATATYPE_MISMATCH);
  EXPECT(iCC_g_Allreduce(x, y, -1, integer, iCC_g_ISUM, world) == iCC_g_ERROR_UNEQUAL_COUNTS);
  EXPECT(iCC_g_Allreduce(NULL, y, 2, integer, iCC_g_ISUM, world) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Allreduce(x, NULL, 2, integer, iCC_g_ISUM, world) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Reduce(x, y, 2, integer, iCC_g_ISUM, nodes, world) == iCC_g_ERROR_ROOT);
  EXPECT(iCC_g_Reduce(x, y, 2, integer, iCC_g_ISUM, -1, world) == iCC_g_ERROR_ROOT);
  EXPECT(iCC_g_Reduce_scatter(x, y, NULL, integer, iCC_g_ISUM, world) == iCC_g_ERROR_NULL);
  long counts[64] = {0};
  counts[0] = -1;
  EXPECT(iCC_g_Reduce_scatter(x, y, counts, integer, iCC_g_ISUM, world) ==
         iCC_g_ERROR_UNEQUAL_COUNTS);
}

static void moves(void) {
  const iCC_g_Comm world = iCC_g_COMM_WORLD;
  const iCC_g_Datatype byte = iCC_g_byte_dtype;
  char x[64] = {0}, y[64];
  long counts[64], displs[64];
  for (long r = 0; r < nodes; ++r) counts[r] = displs[r] = 1;
  EXPECT(iCC_g_Bcast(x, 1, byte, nodes, world) == iCC_g_ERROR_ROOT);
  EXPECT(iCC_g_Bcast(x, -1, byte, 0, world) == iCC_g_ERROR_UNEQUAL_COUNTS);
  EXPECT(iCC_g_Bcast(NULL, 1, byte, 0, world) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Bcast(x, 1, NULL, 0, world) == iCC_g_ERROR_DATATYPE_NULL);
  EXPECT(iCC_g_Barrier(NULL) == iCC_g_ERROR_COMM_NULL);
  EXPECT(iCC_g_Allgatherv(x, 2, byte, y, counts, NULL, byte, world) == iCC_g_ERROR_UNEQUAL_COUNTS);
  EXPECT(iCC_g_Allgatherv(x, 1, byte, NULL, counts, NULL, byte, world) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Allgatherv(x, 1, byte, y, NULL, NULL, byte, world) == iCC_g_ERROR_NULL);
  displs[nodes - 1] = -1;
  EXPECT(iCC_g_Allgatherv(x, 1, byte, y, counts, displs, byte, world) == iCC_g_ERROR_BLOCK_SIZE);
  EXPECT(iCC_g_Gatherv(x, 1, byte, y, counts, NULL, byte, -1, world) == iCC_g_ERROR_ROOT);
  EXPECT(iCC_g_Gatherv(x, -1, byte, y, counts, NULL, byte, 0, world) == iCC_g_ERROR_UNEQUAL_COUNTS);
  EXPECT(iCC_g_Gatherv(NULL, 1, byte, y, counts, NULL, byte, 0, world) == iCC_g_ERROR_NULL);
  EXPECT(iCC_g_Scatterv(x, counts, NULL, byte, y, 1, byte, nodes, world) == iCC_g_ERROR_ROOT);
  EXPECT(iCC_g_Scatterv(x, counts, NULL, byte, NULL, 1, byte, 0, world) == iCC_g_ERROR_NULL);
}

void group_errors(void) {
  groups();
  combines();
  moves();
}
