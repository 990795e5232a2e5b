/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wrong calls of iCC's simple interface, one for each argument, and calls of the group interface in
 * which the counts of two ranks do not fit. misuse.py checks what happens.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icc.h"

static double x[8], work[8];
static long lens[8] = {1, 1, 1};
static long ncnt;

static void before(void) {
  iCC_gdsum(x, 1, work);
}

static void root_too_large(void) {
  iCC_bcast(x, 8, 3);
}
static void root_negative(void) {
  iCC_gdsum_one(x, 1, work, -1);
}
static void negative_length(void) {
  iCC_bcast(x, -8, 0);
}
static void null_vector(void) {
  iCC_gdsum(NULL, 1, work);
}
static void null_lengths(void) {
  iCC_gcolx(x, NULL, work);
}
static void negative_part(void) {
  lens[1] = -5;
  iCC_scatter(x, lens, work, 0);
}
static void too_little_room(void) {
  iCC_gcol(x, 8, work, 23, &ncnt);
}
static void null_function(void) {
  iCC_gopf(x, 8, work, NULL);
}
/* Node 0 calls another collective than the others. */
static void other_call(void) {
  if (iCC_g_Group_init() != iCC_g_OK) return;
  if (iCC_g_COMM_WORLD->source == 0) {
    iCC_bcast(x, 8, 0);
  } else {
    iCC_gdsum(x, 1, work);
  }
  iCC_gsync(); /* node 0 stays until the others have seen what it did */
}

/* The nodes 0 and 1 take themselves for the root. Each sends and waits for nobody. */
static void two_roots(void) {
  if (iCC_g_Group_init() != iCC_g_OK) return;
  iCC_bcast(x, 8, iCC_g_COMM_WORLD->source % 2);
}
static void two_roots_and_more(void) {
  two_roots();
  iCC_gsync();
}

/* The nodes 0 and 2 have a group, in which they call different collectives. */
static void other_call_in_group(void) {
  long members[2] = {0, 2};
  iCC_g_Group all, some;
  iCC_g_Comm comm;
  if (iCC_g_Group_init() != iCC_g_OK || iCC_g_Comm_group(iCC_g_COMM_WORLD, &all) != iCC_g_OK ||
      iCC_g_Group_incl(all, 2, members, &some) != iCC_g_OK ||
      iCC_g_Comm_create(iCC_g_COMM_WORLD, some, &comm) != iCC_g_OK)
    exit(2);
  /* A root would not wait, and might fail in its next call first. */
  if (iCC_g_COMM_WORLD->source == 0) iCC_g_Bcast(x, 8, iCC_g_byte_dtype, 1, comm);
  if (iCC_g_COMM_WORLD->source == 2)
    iCC_g_Allreduce(x, work, 1, iCC_g_double_dtype, iCC_g_DSUM, comm);
  iCC_gsync();
}

/* In the calls of the group interface, the count of the last rank does not fit. */
static long own_count(void) {
  if (iCC_g_Group_init() != iCC_g_OK) exit(2);
  return iCC_g_COMM_WORLD->source == 2 ? 2 : 1;
}
static void end_if_unequal(long code) {
  if (code == iCC_g_OK) return;
  fprintf(stderr, "rank %ld has code %s\n", iCC_g_COMM_WORLD->source,
          code == iCC_g_ERROR_UNEQUAL_COUNTS ? "iCC_g_ERROR_UNEQUAL_COUNTS" : "of another error");
  exit(1);
}
static void unequal_gather(void) {
  const long count = own_count();
  lens[2] = 1;
  end_if_unequal(iCC_g_Gatherv(x, count, iCC_g_byte_dtype, work, lens, NULL, iCC_g_byte_dtype, 0,
                               iCC_g_COMM_WORLD));
}
static void unequal_scatter(void) {
  const long count = own_count();
  lens[2] = 1;
  end_if_unequal(iCC_g_Scatterv(x, lens, NULL, iCC_g_byte_dtype, work, count, iCC_g_byte_dtype, 0,
                                iCC_g_COMM_WORLD));
}
static void unequal_broadcast(void) {
  const long count = own_count();
  end_if_unequal(iCC_g_Bcast(x, count, iCC_g_byte_dtype, 0, iCC_g_COMM_WORLD));
}

static const struct {
  const char* name;
  void (*call)(void);
} cases[] = {{"root_too_large", root_too_large},
             {"root_negative", root_negative},
             {"negative_length", negative_length},
             {"null_vector", null_vector},
             {"null_lengths", null_lengths},
             {"negative_part", negative_part},
             {"too_little_room", too_little_room},
             {"null_function", null_function},
             {"other_call", other_call},
             {"two_roots", two_roots},
             {"two_roots_and_more", two_roots_and_more},
             {"other_call_in_group", other_call_in_group},
             {"unequal_gather", unequal_gather},
             {"unequal_scatter", unequal_scatter},
             {"unequal_broadcast", unequal_broadcast}};

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "before") == 0) before();
  iCC_initialize();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    if (strcmp(name, cases[i].name) == 0) cases[i].call();
  return 0;
}
