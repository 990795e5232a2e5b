/* SPDX-License-Identifier: BSD-3-Clause
 * Sections for cases in which the real PVM is wrong or hangs: reductions without a barrier
 * between them, and tasks that die, also on a host with another coordinator. */
#include "report.h"

enum { calls = 300 };

/* Makes reductions one after the other with one tag and no barrier between them. */
static int run(int rank) {
  int wrong = 0;
  for (int i = 0; i < calls; ++i) {
    long sum = (i + 1) * 5000000000L + rank;
    const int root = i % ranks;
    if (pvm_reduce(PvmSum, &sum, 1, PVM_LONG, 9, group, root) != 0) ++wrong;
    if (rank == root && sum != ranks * (i + 1) * 5000000000L + ranks * (ranks - 1) / 2) ++wrong;
  }
  return wrong;
}

void runner(void) {
  const int rank = pvm_joingroup(group);
  pvm_barrier(group, ranks);
  put(pvm_parent(), tag_answer, run(rank));
  pvm_exit();
  exit(0);
}

void back_to_back(const char* self) {
  int tids[ranks - 1];
  const int rank = pvm_joingroup(group);
  SHOW(pvm_barrier(group, 0));
  start(self, "runner", ranks - 1, tids);
  pvm_barrier(group, ranks);
  VALUE(run(rank));
  for (int i = 0; i < ranks - 1; ++i) VALUE(get(tids[i], tag_answer));
}

/* A task is killed while the others are in a barrier (kind 0), a reduction with that task as
 * root (1), or a reduction with another root (2). */
static int meet(int kind, int victim) {
  int one = 1;
  if (kind == 0) return pvm_barrier(group, ranks);
  const int root =
      kind == 1 ? victim : pvm_getinst(group, pvm_parent() > 0 ? pvm_parent() : pvm_mytid());
  int status = 0;
  for (int i = 0; (kind == 1 || i < 3) && status == 0; ++i)
    status = pvm_reduce(PvmSum, &one, 1, PVM_INT, 4, group, root);
  return status;
}

void victim(int kind) {
  const int rank = pvm_joingroup(group);
  pvm_barrier(group, ranks);
  if (rank == 2)
    for (;;) pause();
  put(pvm_parent(), tag_answer, meet(kind, 2));
  pvm_exit();
  exit(0);
}

void deaths(const char* self) {
  for (int kind = 0; kind < 3; ++kind) {
    int tids[ranks - 1];
    char number[4];
    snprintf(number, sizeof number, "%d", kind);
    char* arguments[] = {(char*)"task", (char*)"victim", number, NULL};
    pvm_joingroup(group);
    pvm_spawn((char*)self, arguments, 0, (char*)"", ranks - 1, tids);
    pvm_barrier(group, ranks);
    const int dead = pvm_gettid(group, 2);
    usleep(50000);
    pvm_sendsig(dead, 9);
    const int status = meet(kind, 2);
    printf("kind %d: %s\n", kind,
           status == PvmSysErr || (kind > 0 && status == PvmNoInst) ? "error" : "no error");
    for (int i = 0; i < ranks - 1; ++i) {
      if (tids[i] != dead) get(tids[i], tag_answer);
    }
    while (pvm_gsize(group) > 1) usleep(1000);
    pvm_lvgroup(group);
  }
}

/* ---- hosts: a task is killed while its host's coordinator waits for it, and the root for the
 * coordinator ---- */

enum { by_function, by_kernel, gathered, scattered, lost_kinds };
static const char* const lost_names[] = {"reduce by a function", "reduce by a kernel", "gather",
                                         "scatter"};

static void add(int* type, void* x, void* y, int* count, int* info) {
  (void)type, (void)info;
  for (int i = 0; i < *count; ++i) ((int*)x)[i] += ((int*)y)[i];
}

static int combine(int kind, int root) {
  int one = 1, all[ranks] = {0};
  if (kind == gathered) return pvm_gather(all, &one, 1, PVM_INT, 5, group, root);
  if (kind == scattered) return pvm_scatter(&one, all, 1, PVM_INT, 5, group, root);
  return pvm_reduce(kind == by_function ? add : PvmSum, &one, 1, PVM_INT, 5, group, root);
}

void remote_member(int kind) {
  pvm_joingroup(group);
  pvm_barrier(group, ranks);
  if (get(pvm_parent(), tag_go) != 0)
    for (;;) pause();
  put(pvm_parent(), tag_answer, 0);
  put(pvm_parent(), tag_end, combine(kind, pvm_getinst(group, pvm_parent())));
  pvm_exit();
  exit(0);
}

/* All tasks but this one are on another host. That host's coordinator has the lowest identifier. */
static void lose_member(const char* self, int kind) {
  int tids[ranks - 1], lowest = 0, highest = 0;
  char number[4];
  snprintf(number, sizeof number, "%d", kind);
  char* arguments[] = {(char*)"task", (char*)"remote_member", number, NULL};
  const int root = pvm_joingroup(group);
  pvm_spawn((char*)self, arguments, 0, (char*)"", ranks - 1, tids);
  for (int i = 0; i < ranks - 1; ++i) {
    if (tids[i] < tids[lowest]) lowest = i;
    if (tids[i] > tids[highest]) highest = i;
  }
  pvm_barrier(group, ranks);
  for (int i = 0; i < ranks - 1; ++i) put(tids[i], tag_go, i == highest);
  for (int i = 0; i < ranks - 2; ++i) get(-1, tag_answer);
  usleep(100000);
  pvm_sendsig(tids[highest], 9);
  const int mine = combine(kind, root), coordinators = get(tids[lowest], tag_end);
  if (kind == scattered) {
    printf("%s: over\n", lost_names[kind]);
  } else {
    printf("%s: root %d, coordinator %d\n", lost_names[kind], mine, coordinators);
  }
  while (pvm_gsize(group) > 1) usleep(1000);
  pvm_lvgroup(group);
}

void lost_member(const char* self) {
  for (int kind = 0; kind < lost_kinds; ++kind) lose_member(self, kind);
}
