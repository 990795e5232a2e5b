/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The error codes of the group interface. A program of the group interface goes on after a wrong
 * call, and its next right call works.
 */
#include <iCC_group.h>
#include <stdio.h>

static long me, p, bad, got, x = 1, y, list[64];
static iCC_g_Group all, group, none = iCC_g_GROUP_NULL;
static iCC_g_Comm comm, nobody = iCC_g_COMM_NULL;

#define MUST(code, call)      \
  if ((got = (call)) != code) \
  bad++, printf("node %ld, line %d: %ld in place of %ld\n", me, __LINE__, got, (long)code)

groups() {
  MUST(iCC_g_ERROR_COMM_NULL, iCC_g_Barrier(nobody));
  MUST(iCC_g_ERROR_COMM_NULL, iCC_g_Comm_group(nobody, &all));
  MUST(iCC_g_OK, iCC_g_Comm_group(iCC_g_COMM_WORLD, &all));
  MUST(iCC_g_ERROR_GROUP_NULL, iCC_g_Group_incl(none, p, list, &group));
  MUST(iCC_g_ERROR_GROUP_EMPTY, iCC_g_Group_incl(all, 0L, list, &group));
  list[0] = p;
  MUST(iCC_g_ERROR_MYPOS, iCC_g_Group_incl(all, p, list, &group));
  list[0] = -1;
  MUST(iCC_g_ERROR_MYPOS, iCC_g_Group_incl(all, p, list, &group));
  if (p > 1) {
    list[0] = p - 1;
    MUST(iCC_g_ERROR_MYPOS, iCC_g_Group_incl(all, p, list, &group));
  }
  list[0] = 0;
  MUST(iCC_g_ERROR_GROUP_NULL, iCC_g_Comm_create(iCC_g_COMM_WORLD, none, &comm));
  return 0;
}

operations() {
  MUST(iCC_g_ERROR_ROOT, iCC_g_Bcast(&x, 1L, iCC_g_long_dtype, p, iCC_g_COMM_WORLD));
  MUST(iCC_g_ERROR_ROOT, iCC_g_Bcast(&x, 1L, iCC_g_long_dtype, -1L, iCC_g_COMM_WORLD));
  MUST(iCC_g_ERROR_DATATYPE_NULL, iCC_g_Bcast(&x, 1L, iCC_g_DATATYPE_NULL, 0L, iCC_g_COMM_WORLD));
  MUST(iCC_g_ERROR_NULL, iCC_g_Bcast((char*)0, 1L, iCC_g_long_dtype, 0L, iCC_g_COMM_WORLD));
  MUST(iCC_g_ERROR_UNEQUAL_COUNTS, iCC_g_Bcast(&x, -1L, iCC_g_long_dtype, 0L, iCC_g_COMM_WORLD));
  MUST(iCC_g_ERROR_OP_NULL,
       iCC_g_Allreduce(&x, &y, 1L, iCC_g_long_dtype, iCC_g_OP_NULL, iCC_g_COMM_WORLD));
  MUST(iCC_g_ERROR_DATATYPE_MISMATCH,
       iCC_g_Allreduce(&x, &y, 1L, iCC_g_long_dtype, iCC_g_SSUM, iCC_g_COMM_WORLD));
  return 0;
}

/* A group of all nodes, which is freed in turn with its communicator. */
freed() {
  MUST(iCC_g_OK, iCC_g_Group_incl(all, p, list, &group));
  MUST(iCC_g_OK, iCC_g_Comm_create(iCC_g_COMM_WORLD, group, &comm));
  MUST(iCC_g_OK, iCC_g_Group_free(&group));
  MUST(iCC_g_ERROR_GROUP_NULL, iCC_g_Group_free(&group));
  MUST(iCC_g_OK, iCC_g_Allreduce(&x, &y, 1L, iCC_g_long_dtype, iCC_g_ISUM, comm));
  if (y != p || comm->source != me) bad++;
  MUST(iCC_g_OK, iCC_g_Comm_free(&comm));
  MUST(iCC_g_ERROR_COMM_NULL, iCC_g_Comm_free(&comm));
  return 0;
}

main() {
  long i, work;
  iCC_initialize();
  MUST(iCC_g_ERROR_NO_INITIALIZATION, iCC_g_Barrier(iCC_g_COMM_WORLD));
  MUST(iCC_g_OK, iCC_g_Group_init());
  me = iCC_g_COMM_WORLD->source;
  p = 1;
  iCC_gisum(&p, 1L, &work);
  for (i = 0; i < p; i++) list[i] = i;
  groups();
  operations();
  freed();
  /* The world works after all that. */
  MUST(iCC_g_OK, iCC_g_Allreduce(&x, &y, 1L, iCC_g_long_dtype, iCC_g_ISUM, iCC_g_COMM_WORLD));
  if (y != p) bad++;
  iCC_gisum(&bad, 1L, &work);
  if (me == 0) printf("error codes on %ld nodes: %ld wrong\n", p, bad);
  return bad != 0;
}
