/* SPDX-License-Identifier: BSD-3-Clause
 * Tests groups of PVM: instance numbers, errors, barriers, broadcasts and frozen groups. */
#include "report.h"

/* Commands for a task, which executes them one after the other and answers with the result. */
enum { do_join, do_leave, do_barrier, do_exit, do_bcast_receive, do_gsize, do_die, do_freeze };

void servant(void) {
  for (;;) {
    pvm_recv(pvm_parent(), tag_go);
    int what = 0, number = 0, result = 0;
    pvm_unpackf("%d %d", &what, &number);
    if (what == do_join) result = pvm_joingroup(group);
    if (what == do_leave) result = pvm_lvgroup(group);
    if (what == do_barrier) result = pvm_barrier(group, number);
    if (what == do_freeze) result = pvm_freezegroup(group, number);
    if (what == do_gsize) result = pvm_gsize(group);
    if (what == do_bcast_receive) result = get(-1, number);
    if (what == do_die) _exit(3);
    if (what == do_exit) {
      pvm_exit();
      exit(0);
    }
    put(pvm_parent(), tag_answer, result);
  }
}

static void tell(int tid, int what, int number) {
  pvm_packf("%+ %d %d", PvmDataDefault, what, number);
  pvm_send(tid, tag_go);
}

static int ask(int tid, int what, int number) {
  tell(tid, what, number);
  return get(tid, tag_answer);
}

/* ---- membership ---- */

static void no_groups(void) {
  char none[] = "", unknown[] = "unknown";
  SHOW(pvm_joingroup(none));
  SHOW(pvm_gsize(unknown));
  SHOW(pvm_getinst(unknown, pvm_mytid()));
  SHOW(pvm_gettid(unknown, 0));
  SHOW(pvm_lvgroup(unknown));
  SHOW(pvm_barrier(unknown, 1));
  SHOW(pvm_bcast(unknown, 1));
}

static void coming_and_going(const int* tids) {
  SHOW(pvm_getinst(group, tids[0]));
  for (int i = 0; i < 3; ++i) VALUE(ask(tids[i], do_join, 0));
  VALUE(pvm_gsize(group));
  VALUE(pvm_gettid(group, 2) == tids[1]);
  VALUE(pvm_getinst(group, tids[2]));
  SHOW(pvm_gettid(group, 4));
  SHOW(pvm_gettid(group, -1));
  VALUE(ask(tids[0], do_leave, 0));
  VALUE(pvm_gsize(group));
  SHOW(pvm_gettid(group, 1));
  SHOW(pvm_getinst(group, tids[0]));
  VALUE(pvm_gettid(group, 3) == tids[2]);
  VALUE(ask(tids[0], do_leave, 0));
  VALUE(ask(tids[0], do_barrier, 1));
  VALUE(ask(tids[0], do_join, 0)); /* the lowest free number */
}

/* A task that ends has left its groups. */
static void ending_is_leaving(int* tids) {
  pvm_notify(PvmTaskExit, 70, 3, tids);
  tell(tids[1], do_die, 0);
  pvm_recv(-1, 70);
  while (pvm_gsize(group) != 3) usleep(1000);
  SHOW(pvm_gettid(group, 2));
  tell(tids[2], do_exit, 0);
  pvm_recv(-1, 70);
  while (pvm_gsize(group) != 2) usleep(1000);
}

void instances(const char* self) {
  int tids[3];
  no_groups();
  VALUE(pvm_joingroup(group));
  SHOW(pvm_joingroup(group));
  start(self, "servant", 3, tids);
  coming_and_going(tids);
  ending_is_leaving(tids);
  VALUE(pvm_lvgroup(group));
  VALUE(pvm_gsize(group));
  SHOW(pvm_lvgroup(group));
  VALUE(ask(tids[0], do_leave, 0));
  SHOW(pvm_gsize(group));
  VALUE(pvm_joingroup(group));
  tell(tids[0], do_exit, 0);
}

/* ---- barrier and broadcast ---- */

static void all_meet(const int* tids, int count) {
  for (int i = 0; i < 3; ++i) tell(tids[i], do_barrier, count);
  VALUE(pvm_barrier(group, count));
  for (int i = 0; i < 3; ++i) VALUE(get(tids[i], tag_answer));
}

/* If the counts of a barrier differ, the task that gives the other count gets an error. */
static void counts_differ(const int* tids) {
  tell(tids[0], do_barrier, 2);
  usleep(100000);
  SHOW(pvm_barrier(group, 3));
  tell(tids[1], do_barrier, 2);
  VALUE(get(tids[0], tag_answer));
  VALUE(get(tids[1], tag_answer));
}

/* Broadcasts to members, from a member and from a task that is none, with a hole in the instance
 * numbers. */
static void broadcasts(const int* tids) {
  for (int i = 0; i < 3; ++i) tell(tids[i], do_bcast_receive, 80);
  pvm_packf("%+ %d", PvmDataDefault, 1234);
  VALUE(pvm_bcast(group, 80));
  for (int i = 0; i < 3; ++i) VALUE(get(tids[i], tag_answer));
  VALUE(pvm_nrecv(-1, 80));
  VALUE(ask(tids[0], do_leave, 0));
  VALUE(pvm_lvgroup(group));
  tell(tids[1], do_bcast_receive, 81);
  tell(tids[2], do_bcast_receive, 81);
  pvm_packf("%+ %d", PvmDataDefault, 4321);
  VALUE(pvm_bcast(group, 81));
  VALUE(get(tids[1], tag_answer));
  VALUE(get(tids[2], tag_answer));
}

static char* numbered(int number) {
  static char name[16];
  snprintf(name, sizeof name, "group%d", number);
  return name;
}

/* Uses many more names one after the other than groups can be there at a time. */
void many_names(void) {
  enum { turns = 1500, at_once = 100 };
  int good = 0, alive = 0, gone = 0;
  for (int i = 0; i < turns; ++i) {
    const int joined = pvm_joingroup(numbered(i)) == 0 && pvm_barrier(numbered(i), 1) == 0;
    good += joined && pvm_lvgroup(numbered(i)) == 0 && pvm_gsize(numbered(i)) == PvmNoGroup;
  }
  VALUE(good);
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < at_once; ++i) pvm_joingroup(numbered(i));
    for (int i = 0; i < at_once; ++i) alive += pvm_gettid(numbered(i), 0) == pvm_mytid();
    for (int i = at_once - 1; i >= 0; --i) pvm_lvgroup(numbered(i));
    for (int i = 0; i < at_once; ++i) gone += pvm_getinst(numbered(i), pvm_mytid()) == PvmNoGroup;
  }
  VALUE(alive);
  VALUE(gone);
}

void meetings(const char* self) {
  int tids[3];
  start(self, "servant", 3, tids);
  VALUE(pvm_joingroup(group));
  SHOW(pvm_bcast(group, 5)); /* nobody to tell */
  pvm_initsend(PvmDataDefault);
  SHOW(pvm_bcast(group, 5));
  for (int i = 0; i < 3; ++i) VALUE(ask(tids[i], do_join, 0));
  all_meet(tids, 4);
  all_meet(tids, -1);
  counts_differ(tids);
  broadcasts(tids);
  for (int i = 0; i < 3; ++i) tell(tids[i], do_exit, 0);
}

void frozen(const char* self) {
  int tids[3];
  start(self, "servant", 3, tids);
  VALUE(pvm_joingroup(group));
  for (int i = 0; i < 2; ++i) VALUE(ask(tids[i], do_join, 0));
  tell(tids[0], do_freeze, 3);
  tell(tids[1], do_freeze, 3);
  VALUE(pvm_freezegroup(group, 3));
  VALUE(get(tids[0], tag_answer));
  VALUE(get(tids[1], tag_answer));
  SHOW(pvm_freezegroup(group, 3));
  VALUE(ask(tids[2], do_join, 0));
  VALUE(ask(tids[2], do_gsize, 0));
  VALUE(pvm_gsize(group));
  VALUE(pvm_gettid(group, 1) == tids[0]);
  tell(tids[0], do_barrier, 3);
  tell(tids[1], do_barrier, 3);
  VALUE(pvm_barrier(group, 3));
  VALUE(get(tids[0], tag_answer));
  VALUE(get(tids[1], tag_answer));
  for (int i = 0; i < 3; ++i) tell(tids[i], do_exit, 0);
}
