/* SPDX-License-Identifier: BSD-3-Clause
 * Where the real PVM is wrong or hangs: reductions without a barrier between them, tasks that die. */
#include "report.h"

enum { calls = 300 };

/* Reductions, one after the other, with one tag and no barrier between them. */
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

/* A task that is killed while the others are in a barrier (0), a reduction at it (1), or one at another (2). */
static int meet(int kind, int victim) {
  int one = 1;
  if (kind == 0) return pvm_barrier(group, ranks);
  const int root = kind == 1 ? victim : pvm_getinst(group, pvm_parent() > 0 ? pvm_parent() : pvm_mytid());
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
    printf("kind %d: %s\n", kind, status == PvmSysErr || (kind > 0 && status == PvmNoInst) ? "error" : "no error");
    for (int i = 0; i < ranks - 1; ++i) {
      if (tids[i] != dead) get(tids[i], tag_answer);
    }
    while (pvm_gsize(group) > 1) usleep(1000);
    pvm_lvgroup(group);
  }
}
