/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mistakes with what our BLACS add to BLACS 1.0: receives from anybody, combines by functions of
 * the user, and lists as scopes.
 */
#include <stddef.h>

#include "misuse.h"

/* A receive from anybody returns the source in both arguments. */
static void anybody_variable(void) {
  dgerv2d(&one, &one, x, &one, &minus, &minus);
}
/* CALL DGERV2D( 1, 1, X, 1, -1, -1 ) makes this call in Fortran. */
static void anybody_constant(void) {
  static const int anybody = -1;
  dgerv2d_(&one, &one, x, &one, (int*)&anybody, &zero);
}
static void anybody(int m) {
  int row = -1, column = 0;
  dgerv2d(&m, &one, x, &m, &row, &column);
}
static void anybody_in_vain(void) {
  if (me == 2) anybody(1);
  barrier("All");
}
static void anybody_sizes(void) {
  if (me == 1) send_to(1, 1);
  if (me == 3) anybody(2);
  barrier("All");
}
/* The sender has used an id that the receiver does not know of. */
static void anybody_id(void) {
  if (me == 1) ksendid(&zero, &one, &one, &one);
  if (me == 1) send_to(1, 1);
  if (me == 3) anybody(1);
  barrier("All");
}
static void anybody_types(void) {
  blacsdebug(&three);
  if (me == 1) igesd2d(&one, &two, places, &one, &one, &one);
  if (me == 3) anybody(1);
  barrier("All");
}

static void add(const int* n, double* to, double* from) {
  for (int i = 0; i < *n; i++) to[i] += from[i];
}
static void combine(int m, const char* top, const char* shape,
                    void (*op)(const int*, double*, double*)) {
  dtuop2d("All", top, shape, "N", &m, &one, x, &m, NULL, op, NULL, &minus, &minus);
}
static void user_op(void) {
  combine(1, "1", "G", NULL);
}
static void user_uplo(void) {
  combine(1, "1", "x", add);
}
static void user_top(void) {
  combine(1, "Increasing", "G", add);
}
static void user_sizes(void) {
  combine(me == 0 ? 4 : 2, "1", "G", add);
}
static void user_or_sum(void) {
  if (me == 0) combine(2, "1", "U", add);
  if (me != 0) dgsum2d("All", "1", &two, &one, x, &two, &minus, &minus);
}

static void map(const char* name, int n, int a, int b, int c, int d) {
  int list[] = {a, b, c, d};
  scopemap(name, &n, list);
}
static void list_same(void) {
  map("1", 4, 0, 1, 2, 1);
}
static void list_long(void) {
  int five = 5;
  scopemap_("1", &five, places);
}
static void list_outside(void) {
  map("1", 3, 0, 1, 4, 0);
}
/* The process exists, but not in this grid. */
static void list_outside_grid(void) {
  blacsinit(&one, &three);
  if (me < 3) map("1", 2, me, 3, 0, 0);
}
static void list_absent(void) {
  map("1", 1, me == 0 ? 1 : 0, 0, 0, 0);
}
static void list_name(void) {
  map("column", 4, 0, 1, 2, 3);
}
static void list_order(void) {
  map("1", 4, 0, 1, me < 2 ? 2 : 3, me < 2 ? 3 : 2);
}
static void list_names(void) {
  map(me == 0 ? "1" : "2", 4, 0, 1, 2, 3);
}
static void list_alone(void) {
  if (me != 2) map("1", 4, 0, 1, 2, 3);
  barrier("All");
}
static void list_destination(void) {
  if (me < 2) map("1", 2, 0, 1, 0, 0);
  if (me < 2) dgsum2d("1", "1", &one, &one, x, &one, &one, &zero);
  barrier("All");
}
/* Process 3 uses a scope that it is not in. */
static void list_outsider(void) {
  if (me != 3) map("x", 3, 2, 1, 0, 0);
  barrier("x");
}
static void list_of_last_grid(void) {
  map("x", 4, 0, 1, 2, 3);
  blacsinit(&two, &two);
  barrier("x");
}
static void list_ids(void) {
  map("x", 4, 0, 1, 2, 3);
  kbsid("x");
}
static void null_list(void) {
  scopemap("1", &four, NULL);
}
static void null_count(void) {
  scopemap("1", NULL, places);
}

const struct mistake mistakes_with_additions[] = {{"anybody_variable", anybody_variable},
                                                  {"anybody_constant", anybody_constant},
                                                  {"anybody_in_vain", anybody_in_vain},
                                                  {"anybody_sizes", anybody_sizes},
                                                  {"anybody_id", anybody_id},
                                                  {"anybody_types", anybody_types},
                                                  {"user_op", user_op},
                                                  {"user_uplo", user_uplo},
                                                  {"user_top", user_top},
                                                  {"user_sizes", user_sizes},
                                                  {"user_or_sum", user_or_sum},
                                                  {"list_same", list_same},
                                                  {"list_long", list_long},
                                                  {"list_outside", list_outside},
                                                  {"list_outside_grid", list_outside_grid},
                                                  {"list_absent", list_absent},
                                                  {"list_name", list_name},
                                                  {"list_order", list_order},
                                                  {"list_names", list_names},
                                                  {"list_alone", list_alone},
                                                  {"list_destination", list_destination},
                                                  {"list_outsider", list_outsider},
                                                  {"list_of_last_grid", list_of_last_grid},
                                                  {"list_ids", list_ids},
                                                  {"null_list", null_list},
                                                  {"null_count", null_count},
                                                  {NULL, NULL}};
