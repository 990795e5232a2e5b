/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes one mistake with BLACS 1.0 per run: blacs94_misuse NAME. misuse.py knows which message each
 * must give. Four processes run it.
 */
#include "misuse.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int me, zero = 0, one = 1, two = 2, three = 3, four = 4, minus = -1;
double x[16];
int places[16];
static int processes;

void send_to(int row, int column) {
  dgesd2d(&one, &one, x, &one, &row, &column);
}
static void receive_from(int row, int column) {
  dgerv2d_(&one, &one, x, &one, &row, &column);
}
static void sum_on(int row, int column) {
  dgsum2d("All", "1", &one, &one, x, &one, &row, &column);
}
static void shift(int a, int b, int c, int d) {
  shift_range(&a, &b, &c, &d);
}

static void rdest(void) {
  send_to(7, 0);
}
static void cdest(void) {
  send_to(1, -2);
}
static void rsrc(void) {
  receive_from(2, 0);
}
static void broadcast_root(void) {
  int five = 5;
  dgebr2d("All", "I", &one, &one, x, &one, &zero, &five);
}
/* In a row only the column counts, so the source that is named is the caller. */
static void own_broadcast(void) {
  float y = 0;
  if (me == 2) strbs2d("Row", "I", "U", "N", &one, &one, &y, &one);
  if (me == 3) strbr2d("Row", "I", "U", "N", &one, &one, &y, &one, &zero, &one);
  barrier("All");
}
static void combine_dest(void) {
  sum_on(0, 2);
}
/* Only RDEST = -1 means all. */
static void combine_column(void) {
  sum_on(0, -1);
}
static void scope(void) {
  dgsum2d("x", "1", &one, &one, x, &one, &minus, &minus);
}
static void barrier_scope(void) {
  barrier_("?");
}
static void top(void) {
  dgebs2d("All", " ", &one, &one, x, &one);
}
/* Combines have no rings. */
static void combine_top(void) {
  dgmax2d("All", "Increasing", &one, &one, x, &one, places, places, &one, &minus, &minus);
}
static void uplo(void) {
  dtrbs2d("All", "I", "x", "N", &one, &one, x, &one);
}
/* An empty text has no first letter. It must not mean a general matrix where it is UPLO. */
static void empty_uplo(void) {
  dtrsd2d("", "N", &one, &one, x, &one, &zero, &zero);
}
static void empty_top(void) {
  dgsum2d("All", "", &one, &one, x, &one, &minus, &minus);
}
/* Ids are counted for each process, so places are checked at every level. */
static void rdest_at_level_0(void) {
  blacsdebug(&zero);
  send_to(1 << 28, 0);
}
static void id_of_nobody_at_level_0(void) {
  int far = 1 << 28;
  blacsdebug(&zero);
  krecvid(&zero, &far);
}
static void diag(void) {
  dtrsd2d("U", "x", &one, &one, x, &one, &zero, &zero);
}
static void negative_m(void) {
  dgesd2d(&minus, &one, x, &one, &zero, &zero);
}
static void negative_n(void) {
  dtrsd2d_("U", "N", &two, &minus, x, &two, &zero, &zero);
}
static void lda(void) {
  dgesd2d(&three, &two, x, &two, &zero, &zero);
}
static void ldia(void) {
  dgmin2d("All", "1", &three, &two, x, &three, places, places, &two, &minus, &minus);
}
static void outsider(void) {
  blacsinit(&one, &three);
  if (me == 3) sum_on(-1, 0);
  barrier("All");
}
static void too_large(void) {
  blacsinit(&three, &two);
}
static void empty_grid(void) {
  blacsinit(&zero, &two);
}
static void map_twice(void) {
  int map[] = {0, 1, 1, 2};
  gridmap(map, &two, &two, &two);
}
static void low_ldumap(void) {
  int map[] = {0, 1, 2, 3};
  gridmap(map, &one, &two, &two);
}
static void map_unknown(void) {
  int map[] = {0, 1, 2, 4};
  gridmap(map, &two, &two, &two);
}
static void branches(void) {
  setbranches_(&zero);
}
static void ranges_overlap(void) {
  shift(0, 99, 99, 200);
}
static void range_reversed(void) {
  shift(10, 9, 20, 30);
}
static void range_outside(void) {
  shift(0, 9, -20, -10);
}
static void range_too_small(void) {
  shift(0, 2, 10, 100);
  blacsinit(&two, &two);
}
static void id_of_another(void) {
  if (me == 1) ksendid(&one, &one, &zero, &zero);
  barrier("All");
}
static void id_of_nobody(void) {
  kbrid("Row", &zero, &two);
}
/* The sender has used an id that the receiver does not know of. */
static void id_unknown(void) {
  if (me == 0) ksendid(&zero, &zero, &one, &one);
  if (me == 0) send_to(1, 1);
  if (me == 3) receive_from(0, 0);
  barrier("All");
}
/* After BLACSEXIT each process is alone: a second one that failed would say the same again. */
static void after_exit(void) {
  blacsexit(&zero);
  if (me == 0) blacsinit(&one, &one);
}
static void no_pvm(void) {
  setpvmtids(&one, places);
}
static void late_tids(void) {
  blacsinit(&two, &two);
  setpvmtids_(&one, places);
}
static void receive_cycle(void) {
  receive_from(me / 2, 1 - me % 2);
}
static void order(void) {
  if (me == 0) sum_on(-1, 0);
  if (me != 0) barrier("All");
}
static void sum_sizes(void) {
  int m = me == 0 ? 4 : 2;
  dgsum2d("All", "1", &m, &two, x, &four, &minus, &minus);
}
static void broadcast_sizes(void) {
  if (me == 0) dgebs2d("All", "I", &four, &two, x, &four);
  if (me != 0) dgebr2d("All", "I", &two, &two, x, &four, &zero, &zero);
  barrier("All");
}
static void message_sizes(void) {
  if (me == 0) dgesd2d(&four, &two, x, &four, &one, &one);
  if (me == 3) dgerv2d(&two, &two, x, &four, &zero, &zero);
  barrier("All");
}
static void killed(void) {
  if (me == 2) raise(SIGKILL);
  sum_on(-1, 0);
}
static void exit_code(void) {
  if (me == 2) exit(9);
  sum_on(-1, 0);
}
/* A process may end without BLACSEXIT, but here the others wait for it. */
static void left_early(void) {
  if (me == 2) exit(0);
  sum_on(-1, 0);
}
static void level_unknown(void) {
  blacsdebug(&four);
}
/* Each process waits in another operation. */
static void hang_explained(void) {
  blacsdebug_(&two);
  if (me == 0) barrier("Row");
  if (me == 1) receive_from(1, 1);
  if (me == 2) dgebr2d("Column", "I", &three, &two, x, &four, &zero, &zero);
  if (me == 3) dgsum2d("Row", "1", &one, &one, x, &one, &minus, &minus);
}
/* The lengths are equal, so only debug level 3 finds the mistake. */
static void message_types(void) {
  blacsdebug(&three);
  if (me == 0) igesd2d(&one, &two, places, &one, &one, &one);
  if (me == 3) receive_from(0, 0);
}
static void operations(void) {
  blacsdebug(&three);
  order();
}
/* All is well: also ids of messages beside the messages of level 3, and another form of a matrix.
 */
static void level_3(void) {
  int to = 1 - me % 2, row = me / 2;
  blacsdebug(&three);
  ksendid(&row, &(int){me % 2}, &row, &to);
  krecvid(&row, &to);
  dgesd2d(&one, &four, x, &one, &row, &to);
  dgerv2d(&two, &two, x, &two, &row, &to);
  dgsum2d("Column", "H", &one, &one, x, &one, &minus, &minus);
  barrier("All");
}
static void timed(void) {
  blacstiming(&two);
  dgsum2d("All", "1", &one, &one, x, &one, &minus, &minus);
  barrier("All");
  blacstiming_(&zero);
  barrier("Row");
}
static void null_level(void) {
  blacsdebug(NULL);
}
static void null_tasks(void) {
  setpvmtids(NULL, places);
}
static void timing_unknown(void) {
  blacstiming(&three);
}
static void none(void) {
  sum_on(-1, 0);
}

static const struct mistake with_grid[] = {{"rdest", rdest},
                                           {"cdest", cdest},
                                           {"rsrc", rsrc},
                                           {"broadcast_root", broadcast_root},
                                           {"own_broadcast", own_broadcast},
                                           {"combine_dest", combine_dest},
                                           {"combine_column", combine_column},
                                           {"scope", scope},
                                           {"barrier_scope", barrier_scope},
                                           {"top", top},
                                           {"combine_top", combine_top},
                                           {"uplo", uplo},
                                           {"empty_uplo", empty_uplo},
                                           {"empty_top", empty_top},
                                           {"rdest_at_level_0", rdest_at_level_0},
                                           {"id_of_nobody_at_level_0", id_of_nobody_at_level_0},
                                           {"diag", diag},
                                           {"negative_m", negative_m},
                                           {"negative_n", negative_n},
                                           {"lda", lda},
                                           {"ldia", ldia},
                                           {"outsider", outsider},
                                           {"branches", branches},
                                           {"id_of_another", id_of_another},
                                           {"id_of_nobody", id_of_nobody},
                                           {"id_unknown", id_unknown},
                                           {"after_exit", after_exit},
                                           {"late_tids", late_tids},
                                           {"receive_cycle", receive_cycle},
                                           {"order", order},
                                           {"sum_sizes", sum_sizes},
                                           {"broadcast_sizes", broadcast_sizes},
                                           {"message_sizes", message_sizes},
                                           {"killed", killed},
                                           {"exit_code", exit_code},
                                           {"left_early", left_early},
                                           {"level_unknown", level_unknown},
                                           {"hang_explained", hang_explained},
                                           {"message_types", message_types},
                                           {"operations", operations},
                                           {"level_3", level_3},
                                           {"timed", timed},
                                           {"timing_unknown", timing_unknown},
                                           {"null_level", null_level},
                                           {"none", none},
                                           {NULL, NULL}},
                            without_grid[] = {{"no_grid", rdest},
                                              {"too_large", too_large},
                                              {"empty_grid", empty_grid},
                                              {"map_twice", map_twice},
                                              {"low_ldumap", low_ldumap},
                                              {"map_unknown", map_unknown},
                                              {"ranges_overlap", ranges_overlap},
                                              {"range_reversed", range_reversed},
                                              {"range_outside", range_outside},
                                              {"range_too_small", range_too_small},
                                              {"no_pvm", no_pvm},
                                              {"null_tasks", null_tasks},
                                              {NULL, NULL}};

/* Returns 1 if the mistake is in the table. */
static int made(const struct mistake* table, const char* name) {
  for (; table->name != NULL; table++)
    if (strcmp(table->name, name) == 0) return table->make(), 1;
  return 0;
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  if (made(without_grid, name)) return 0;
  initpinfo(&me, &processes);
  blacsinit(&two, &two);
  if (made(with_grid, name) || made(mistakes_with_additions, name)) return 0;
  fprintf(stderr, "there is no mistake %s\n", name);
  return 2;
}
