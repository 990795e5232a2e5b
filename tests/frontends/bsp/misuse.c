// SPDX-License-Identifier: BSD-3-Clause
// Makes one misuse per run: `bsp_misuse <case>`. misuse.py knows which message each must give.
#include <bsp.h>
#include <bsp_broadcast.h>
#include <bsp_tutti.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int x[4], y[4];
static int p, s;

static void setup(void) {
  p = bsp_nprocs();
  s = bsp_pid();
  bsp_push_reg(x, sizeof x);
  bsp_sync();
}

// ---- wrong calls ----
static void put_pid(void) {
  bsp_put(p, x, x, 0, 4);
}
static void put_negative_pid(void) {
  bsp_put(-1, x, x, 0, 4);
}
static void put_unregistered(void) {
  bsp_put(0, x, y, 0, 4);
}
static void put_too_early(void) {
  bsp_push_reg(y, sizeof y);
  bsp_put(0, x, y, 0, 4);
}
static void put_after_pop(void) {
  bsp_pop_reg(x);
  bsp_sync();
  bsp_put(0, y, x, 0, 4);
}
static void put_beyond(void) {
  bsp_put(1, x, x, 12, 8);
}
static void put_negative_offset(void) {
  bsp_put(1, x, x, -4, 4);
}
static void put_negative_size(void) {
  bsp_put(1, x, x, 0, -4);
}
static void put_null(void) {
  bsp_put(1, NULL, x, 0, 4);
}
static void get_beyond(void) {
  bsp_get(1, x, 16, y, 1);
}
static void get_unregistered(void) {
  bsp_get(1, y, 0, y, 4);
}
static void get_null(void) {
  bsp_get(1, x, 0, NULL, 4);
}
static void hpput_beyond(void) {
  bsp_hpput(0, y, x, 13, 4);
}
static void hpget_pid(void) {
  bsp_hpget(77, x, 0, y, 4);
}
static void pop_unregistered(void) {
  bsp_pop_reg(y);
}
static void pop_twice(void) {
  bsp_pop_reg(x);
  bsp_pop_reg(x);
}
static void push_null(void) {
  bsp_push_reg(NULL, 8);
}
static void push_negative(void) {
  bsp_push_reg(y, -1);
}
static void tag_size_negative(void) {
  int size = -8;
  bsp_set_tagsize(&size);
}
static void send_pid(void) {
  bsp_send(p + 1, NULL, x, 4);
}
static void send_null(void) {
  bsp_send(0, NULL, NULL, 4);
}
static void send_null_tag(void) {
  int size = 4;
  bsp_set_tagsize(&size);
  bsp_sync();
  bsp_send(0, NULL, x, 4);
}
static void move_nothing(void) {
  bsp_move(x, 4);
}
static void tag_null(void) {
  int size = 4, status = 0;
  bsp_set_tagsize(&size);
  bsp_sync();
  bsp_send((s + 1) % p, x, x, 4);
  bsp_sync();
  bsp_get_tag(&status, NULL);
}
static void begin_twice(void) {
  bsp_begin(2);
}
static void free_other(void) {
  bsp_free(y);
}
static void free_registered(void) {
  void* const memory = bsp_alloc(64);
  bsp_push_reg(memory, 64);
  bsp_sync();
  bsp_free(memory);
}
static void fold_null(void) {
  bsp_fold(NULL, x, y, 4);
}
static void bcast_root(void) {
  bsp_bcast(p, x, y, 4);
}

static void sync_counts_null(void) {
  bsp_sync_counts(NULL);
}
static void sync_counts_after_get(void) {
  const int none[3] = {0, 0, 0};
  bsp_get(0, x, 0, y, 4);
  bsp_sync_counts(none);
}
static void sync_counts_after_push(void) {
  const int none[3] = {0, 0, 0};
  bsp_push_reg(y, sizeof y);
  bsp_sync_counts(none);
}
static void sync_counts_tag_size(void) {
  int none[3] = {0, 0, 0}, size = 4;
  bsp_set_tagsize(&size);
  bsp_sync_counts(none);
}
static void no_neighbour(void) {
  const int next = (s + 1) % p;
  bsp_put((s + 2) % p, y, x, 0, 4);
  bsp_sync_neighbours(1, &next);
}
static void neighbour_pid(void) {
  bsp_sync_neighbours(1, &p);
}
static void group_unknown(void) {
  bsp_group_enter(1);
}
static void group_freed(void) {
  const int group = bsp_group_split(0, s);
  bsp_group_free(group);
  bsp_group_enter(group);
}
static void group_twice(void) {
  const int group = bsp_group_split(0, s);
  bsp_group_enter(group);
  bsp_group_enter(group);
}
static void group_not_entered(void) {
  bsp_group_leave();
}
static void group_not_left(void) {
  bsp_group_enter(bsp_group_split(s % 2, 0));
}
static void group_put_pid(void) {
  bsp_group_enter(bsp_group_split(s == 2, 0));
  bsp_send(2, NULL, x, 4);
}
static void group_on_its_way(void) {
  const int group = bsp_group_split(0, s);
  bsp_group_enter(group);
  bsp_send(0, NULL, x, 4);
  bsp_group_leave();
  bsp_group_free(group);
}

// ---- processes that disagree ----
static void counts_wrong(void) {
  const int counts[3] = {1, 1, 1};
  for (int q = 0; q < p; ++q) bsp_send(q, NULL, x, 4);
  if (s == 1) bsp_send(2, NULL, x, 4);
  bsp_sync_counts(counts);
}
static void counts_against_sync(void) {
  const int counts[3] = {1, 1, 1};
  for (int q = 0; q < p; ++q) bsp_send(q, NULL, x, 4);
  if (s == 0) bsp_sync();
  if (s != 0) bsp_sync_counts(counts);
}
static void push_some(void) {
  if (s == 1) bsp_push_reg(y, sizeof y);
  bsp_sync();
}
static void push_against_pop(void) {
  if (s == 0) bsp_push_reg(y, sizeof y);
  if (s != 0) bsp_pop_reg(x);
  bsp_sync();
}
static void pop_different(void) {
  bsp_push_reg(y, sizeof y);
  bsp_sync();
  bsp_pop_reg(s == 0 ? x : y);
  bsp_sync();
}
static void tag_sizes(void) {
  int size = s == 2 ? 8 : 4;
  bsp_set_tagsize(&size);
  bsp_sync();
}
static void tag_size_by_some(void) {
  int size = 0;
  if (s == 1) bsp_set_tagsize(&size);
  bsp_sync();
}
// Process 1 means its second registration, the others their first.
static void pop_null_different(void) {
  bsp_push_reg(s == 1 ? y : NULL, s == 1 ? (int)sizeof y : 0);
  bsp_push_reg(s == 1 ? NULL : x, s == 1 ? 0 : (int)sizeof x);
  bsp_sync();
  bsp_pop_reg(NULL);
  bsp_sync();
}
static void end_early(void) {
  if (s == 1) bsp_end();
  bsp_sync();
}
static void bcast_against_sync(void) {
  if (s == 0) bsp_bcast(0, x, y, 4);
  if (s != 0) bsp_sync();
}
static void bcast_sizes(void) {
  bsp_broadcast(0, x, s == 0 ? 8 : 12);
}
static void leave_early(void) {
  if (s == 1) exit(0);
  bsp_sync();
}
static void killed(void) {
  if (s == 2) raise(SIGKILL);
  for (;;) bsp_sync();
}
static void abort_one(void) {
  if (s == 1) bsp_abort("value %d of %s", 42, "x");
  for (;;) bsp_sync();
}
static void abort_computing(void) {
  if (s == 1) bsp_abort("enough");
  for (volatile int turn = 0;; turn = 1 - turn) {
  }
}

// ---- errors that only safe mode finds ----
static void two_puts(void) {
  if (s != 2) bsp_put(2, &s, x, 4, 4);
  bsp_sync();
}
static void put_and_hpput(void) {
  if (s == 0) bsp_put(1, y, x, 0, 8);
  if (s == 2) bsp_hpput(1, y, x, 4, 4);
  bsp_sync();
}
static void hpput_and_get(void) {
  if (s == 0) bsp_hpput(1, y, x, 0, 16);
  if (s == 2) bsp_get(1, x, 12, y, 4);
  bsp_sync();
}
static void put_and_hpget(void) {
  if (s == 0) bsp_put(0, y, x, 0, 8);
  if (s == 1) bsp_hpget(0, x, 4, y, 8);
  bsp_sync();
}
static void two_gets(void) {
  if (s == 1) bsp_get(0, x, 0, y, 8);
  if (s == 1) bsp_get(2, x, 0, y + 1, 8);
  bsp_sync();
}
static void hpget_into_registered(void) {
  if (s == 1) bsp_hpget(0, x, 0, x, 4);
  if (s == 2) bsp_put(1, y, x, 0, 4);
  bsp_sync();
}
static void source_changed(void) {
  if (s == 0) bsp_hpput(1, y, x, 0, 4);
  y[0] = 5;
  bsp_sync();
}
static void not_mine(void) {
  bsp_push_reg(y, 1 << 30);
}
static void last_messages(void) {
  bsp_send(0, NULL, x, 4);
  bsp_end();
}

#define CASE(name) \
  { #name, name }
static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    CASE(put_pid),
    CASE(put_negative_pid),
    CASE(put_unregistered),
    CASE(put_too_early),
    CASE(put_after_pop),
    CASE(put_beyond),
    CASE(put_negative_offset),
    CASE(put_negative_size),
    CASE(put_null),
    CASE(get_beyond),
    CASE(get_unregistered),
    CASE(get_null),
    CASE(hpput_beyond),
    CASE(hpget_pid),
    CASE(pop_unregistered),
    CASE(pop_twice),
    CASE(push_null),
    CASE(push_negative),
    CASE(tag_size_negative),
    CASE(send_pid),
    CASE(send_null),
    CASE(send_null_tag),
    CASE(move_nothing),
    CASE(tag_null),
    CASE(begin_twice),
    CASE(free_other),
    CASE(free_registered),
    CASE(fold_null),
    CASE(bcast_root),
    CASE(sync_counts_null),
    CASE(sync_counts_after_get),
    CASE(sync_counts_after_push),
    CASE(sync_counts_tag_size),
    CASE(no_neighbour),
    CASE(neighbour_pid),
    CASE(group_unknown),
    CASE(group_freed),
    CASE(group_twice),
    CASE(group_not_entered),
    CASE(group_not_left),
    CASE(group_put_pid),
    CASE(group_on_its_way),
    CASE(counts_wrong),
    CASE(counts_against_sync),
    CASE(push_some),
    CASE(push_against_pop),
    CASE(pop_different),
    CASE(tag_sizes),
    CASE(tag_size_by_some),
    CASE(pop_null_different),
    CASE(end_early),
    CASE(bcast_against_sync),
    CASE(bcast_sizes),
    CASE(leave_early),
    CASE(killed),
    CASE(abort_one),
    CASE(abort_computing),
    CASE(two_puts),
    CASE(put_and_hpput),
    CASE(hpput_and_get),
    CASE(put_and_hpget),
    CASE(two_gets),
    CASE(hpget_into_registered),
    CASE(source_changed),
    CASE(not_mine),
    CASE(last_messages),
};

static void nothing(void) {}

int main(int argc, char** argv) {
  const char* const name = argc > 1 ? argv[1] : "";
  if (strcmp(name, "sync_before_begin") == 0) bsp_sync();
  if (strcmp(name, "init_null") == 0) bsp_init(NULL, argc, argv);
  if (strcmp(name, "init_without_end") == 0) bsp_init(nothing, argc, argv);
  bsp_begin(strcmp(name, "begin_nothing") == 0 ? 0 : 3);
  setup();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(cases[i].name, name) == 0) cases[i].run();
  }
  const int me = bsp_pid();
  bsp_end();
  /* After bsp_end each process is alone: a second one that failed might say the same again. */
  if (me == 0 && strcmp(name, "put_after_end") == 0) bsp_put(0, x, x, 0, 4);
  if (me == 0 && strcmp(name, "sync_after_end") == 0) bsp_sync();
  return 0;
}
