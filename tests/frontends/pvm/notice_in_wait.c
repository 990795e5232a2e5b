/* SPDX-License-Identifier: BSD-3-Clause
 * Waits for a message in memory of a freed buffer, while the notice comes that another task has
 * ended. Both must be what they are: the notice gets memory of its own. The exit code tells. */
#include <pvm3.h>
#include <stdio.h>
#include <unistd.h>

enum { go = 1, first = 2, second = 3, later = 4, gone = 99, count = 4000 };

static int wrong;

static void check(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "wrong: %s\n", what);
  wrong = 1;
}

static void send_ints(int to, int tag, int value) {
  static int values[count];
  for (int i = 0; i < count; ++i) values[i] = value + i;
  pvm_initsend(PvmDataRaw);
  pvm_pkint(values, count, 1);
  pvm_send(to, tag);
}

static void receive_ints(int from, int tag, int value) {
  static int values[count];
  int right = pvm_recv(from, tag) > 0 && pvm_upkint(values, count, 1) == PvmOk;
  for (int i = 0; right && i < count; ++i) right = values[i] == value + i;
  check(right, "a message");
}

/* Sends two messages at once and a third one when the other task has ended. */
static void answer(int parent) {
  send_ints(parent, first, 10);
  send_ints(parent, second, 20);
  pvm_recv(parent, go);
  usleep(300000);
  send_ints(parent, later, 30);
}

int main(int argc, char** argv) {
  int tasks[2], tid = 0;
  const int parent = pvm_parent();
  (void)argc;
  pvm_mytid();
  if (parent != PvmNoParent) {
    pvm_recv(parent, go);
    pvm_upkint(&tid, 1, 1);
    if (tid == 0) answer(parent);
    if (tid == 1) usleep(100000);
    pvm_exit();
    return 0;
  }
  check(pvm_spawn(argv[0], NULL, PvmTaskDefault, NULL, 2, tasks) == 2, "pvm_spawn");
  for (int i = 0; i < 2; ++i) {
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&i, 1, 1);
    if (i == 1) pvm_notify(PvmTaskExit, gone, 1, &tasks[1]);
    if (i == 0) {
      pvm_send(tasks[0], go);
      receive_ints(tasks[0], first, 10);
      receive_ints(tasks[0], second, 20); /* the memory of the first is free now */
      pvm_initsend(PvmDataRaw);
      pvm_send(tasks[0], go);
    } else {
      pvm_send(tasks[1], go);
    }
  }
  receive_ints(tasks[0], later, 30);
  check(pvm_recv(-1, gone) > 0 && pvm_upkint(&tid, 1, 1) == PvmOk && tid == tasks[1], "the notice");
  pvm_exit();
  return wrong;
}
