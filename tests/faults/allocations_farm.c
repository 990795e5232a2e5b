/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PVM program: the first task spawns two, sends each a number and adds their answers. The tasks
 * of a group meet at a barrier before. A call that fails ends its task with code 3. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>

enum { tasks = 2, tag_work = 1, tag_answer = 2, code_of_error = 3 };
static char group[] = "workers";

static int checked(int result, const char* call) {
  if (result >= 0) return result;
  fprintf(stderr, "%s: error %d\n", call, result);
  exit(code_of_error);
}
#define CHECKED(call) checked(call, #call)

static void send_number(int to, int tag, int number) {
  CHECKED(pvm_initsend(PvmDataDefault));
  CHECKED(pvm_pkint(&number, 1, 1));
  CHECKED(pvm_send(to, tag));
}

static int receive_number(int from, int tag) {
  int number = 0;
  CHECKED(pvm_recv(from, tag));
  CHECKED(pvm_upkint(&number, 1, 1));
  return number;
}

static void meet(void) {
  CHECKED(pvm_joingroup(group));
  CHECKED(pvm_barrier(group, tasks + 1));
}

static void be_task(int parent) {
  meet();
  send_number(parent, tag_answer, 2 * receive_number(parent, tag_work));
  CHECKED(pvm_exit());
}

int main(int argc, char** argv) {
  (void)argc;
  int tids[tasks], sum = 0;
  CHECKED(pvm_mytid());
  const int parent = pvm_parent();
  if (parent > 0) {
    be_task(parent);
    return 0;
  }
  if (CHECKED(pvm_spawn(argv[0], NULL, PvmTaskDefault, (char*)"", tasks, tids)) != tasks)
    CHECKED(tids[tasks - 1]);
  meet();
  for (int i = 0; i < tasks; i++) send_number(tids[i], tag_work, i + 1);
  for (int i = 0; i < tasks; i++) sum += receive_number(-1, tag_answer);
  if (sum != 6) {
    fprintf(stderr, "WRONG RESULT: %d\n", sum);
    return 1;
  }
  CHECKED(pvm_exit());
  printf("all is right\n");
  return 0;
}
