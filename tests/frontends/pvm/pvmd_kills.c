/* SPDX-License-Identifier: BSD-3-Clause
 * Tasks of a real PVM join and leave one group as fast as they can, and are killed meanwhile,
 * also while they hold the lock of its registry. The first task must always be able to join, and
 * nothing may be left at the end. Argument: how many are killed. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { tasks = 5 };
static char group[] = "struck";

static int spawn(const char* self, int count, int* tids) {
  return pvm_spawn((char*)self, NULL, PvmTaskDefault, (char*)"", count, tids) == count;
}

static void come_and_go(void) {
  for (;;) {
    pvm_joingroup(group);
    pvm_gsize(group);
    pvm_lvgroup(group);
  }
}

int main(int argc, char** argv) {
  int tids[tasks], joined = 0, left = 0;
  const int kills = argc > 1 ? atoi(argv[1]) : 1;
  unsigned seed = 5;
  pvm_mytid();
  pvm_setopt(PvmAutoErr, 0);
  if (pvm_parent() > 0) come_and_go();
  if (!spawn(argv[0], tasks, tids)) return 1;
  for (int i = 0; i < kills; ++i) {
    const int victim = (int)((unsigned)rand_r(&seed) % tasks);
    usleep((unsigned)rand_r(&seed) % 5000);
    pvm_sendsig(tids[victim], 9);
    joined += pvm_joingroup(group) >= 0 && pvm_lvgroup(group) == 0;
    if (!spawn(argv[0], 1, &tids[victim])) return 1;
  }
  for (int i = 0; i < tasks; ++i) pvm_sendsig(tids[i], 9);
  for (int i = 0; i < 1000 && (left = pvm_gsize(group)) != PvmNoGroup; ++i) usleep(10000);
  printf("%d killed, joined %d times, %s\n", kills, joined,
         left == PvmNoGroup ? "nothing left" : "something left");
  pvm_exit();
  return 0;
}
