/* SPDX-License-Identifier: BSD-3-Clause
 * Starts many tasks, few at a time. Each belongs to a batch that makes reductions without
 * barriers. In between, each joins and leaves groups that all batches share, and broadcasts to
 * them. Arguments of the section: batches, and how many of them at a time. */
#include "report.h"

enum { batch_size = 8, shared_groups = 32, turns = 25, tag_done = 90, tag_noise = 91 };

static char* shared_name(int number) {
  static char name[16];
  snprintf(name, sizeof name, "shared %d", number);
  return name;
}

/* Joins the group, leaves it, or sends all its members a message that no task receives. */
static void disturb(unsigned* seed, char* joined) {
  const int number = (int)((unsigned)rand_r(seed) % shared_groups);
  char* name = shared_name(number);
  if (rand_r(seed) % 4 == 0) {
    pvm_packf("%+ %d", PvmDataRaw, number);
    pvm_bcast(name, tag_noise);
  } else if (joined[number]) {
    if (pvm_lvgroup(name) != 0) abort();
    joined[number] = 0;
  } else {
    if (pvm_joingroup(name) < 0) abort();
    joined[number] = 1;
  }
}

/* `number` names the batch's group. Each task ends in one of three ways at random: by leaving
 * all groups, by pvm_exit alone, or by exit. */
void batch_member(int number) {
  char name[32], joined[shared_groups] = {0};
  unsigned seed = (unsigned)pvm_mytid();
  int wrong = 0;
  snprintf(name, sizeof name, "batch %d", number);
  const int me = pvm_joingroup(name);
  pvm_barrier(name, batch_size);
  for (int i = 0; i < turns; ++i) {
    const int root = (number + i) % batch_size;
    int sum[2] = {me + i, 1};
    disturb(&seed, joined);
    if (pvm_reduce(PvmSum, sum, 2, PVM_INT, 7, name, root) != 0) ++wrong;
    if (me == root &&
        (sum[0] != batch_size * (batch_size - 1) / 2 + batch_size * i || sum[1] != batch_size))
      ++wrong;
  }
  pvm_barrier(name, batch_size);
  put(pvm_parent(), tag_done, wrong);
  if (me % 3 == 0) {
    for (int i = 0; i < shared_groups; ++i) {
      if (joined[i]) pvm_lvgroup(shared_name(i));
    }
  }
  if (me % 3 != 2) pvm_exit();
  exit(0);
}

static void start_batch(const char* self, int number) {
  int tids[batch_size];
  char text[16];
  snprintf(text, sizeof text, "%d", number);
  char* arguments[] = {(char*)"task", (char*)"batch", text, NULL};
  if (pvm_spawn((char*)self, arguments, 0, (char*)"", batch_size, tids) != batch_size) {
    printf("batch %d is not started: %d\n", number, tids[0]);
    exit(1);
  }
}

/* Returns the number of groups that still exist. None may remain when the last task has ended. */
static int groups_left(void) {
  int left = 0;
  for (int i = 0; i < shared_groups; ++i) left += pvm_gsize(shared_name(i)) != PvmNoGroup;
  return left;
}

void churn(const char* self, int batches, int at_a_time) {
  int started = 0, wrong = 0, ended = 0;
  while (started < at_a_time) start_batch(self, started++);
  for (; ended < batches * batch_size; ++ended) {
    wrong += get(-1, tag_done);
    if (ended % batch_size == batch_size - 1 && started < batches) start_batch(self, started++);
  }
  for (int i = 0; i < 1000 && groups_left() > 0; ++i) usleep(10000);
  printf("%d tasks, %d wrong, %d groups left\n", ended, wrong, groups_left());
}
