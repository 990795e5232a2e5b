/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes MVMULT a program of PVM that spawns its processes itself. The linker puts this in front of
 * its main (--wrap=main). The first argument says what happens:
 *
 *   parent    spawns three tasks, and is process 0 of four
 *   others    spawns three tasks that are the processes, and waits for their end
 *   reversed  as parent, but the list is reversed
 *   late      as parent, with five processes; the last is in no grid and ends before the second
 *             calls SETPVMTIDS
 *   nobody    spawns two tasks, and nobody calls SETPVMTIDS
 *   unknown, twice, none, outside    give a wrong list
 */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 5, tag = 11 };

void setpvmtids_(const int* ntasks, const int* tids);
int __real_main(int argc, char** argv);
int __wrap_main(int argc, char** argv);

/* The tasks, those that are processes first. */
struct list {
  int count, tids[most];
};

/* Returns the list, which every task gets. */
static struct list spawn(char* program, char* how) {
  struct list tasks = {0, {0}};
  char* arguments[] = {how, NULL};
  const int parent_too = strcmp(how, "others") != 0;
  const int wanted = strcmp(how, "nobody") == 0 ? 2 : strcmp(how, "late") == 0 ? 4 : 3;
  if (parent_too) tasks.tids[tasks.count++] = pvm_mytid();
  if (pvm_spawn(program, arguments, PvmTaskDefault, (char*)"", wanted, tasks.tids + tasks.count) !=
      wanted)
    exit(2);
  tasks.count += wanted;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&tasks.count, 1, 1);
  pvm_pkint(tasks.tids, most, 1);
  pvm_mcast(tasks.tids, tasks.count, tag);
  return tasks;
}

static struct list receive(void) {
  struct list tasks;
  pvm_recv(-1, tag);
  pvm_upkint(&tasks.count, 1, 1);
  pvm_upkint(tasks.tids, most, 1);
  return tasks;
}

static void reverse(struct list* tasks) {
  for (int i = 0, j = tasks->count - 1; i < j; i++, j--) {
    const int tid = tasks->tids[i];
    tasks->tids[i] = tasks->tids[j];
    tasks->tids[j] = tid;
  }
}

static void wait_for_end(int tid) {
  pvm_notify(PvmTaskExit, tag + 1, 1, &tid);
  pvm_recv(-1, tag + 1);
}

static void spoil(struct list* tasks, const char* how) {
  if (strcmp(how, "unknown") == 0) tasks->tids[2] = 12345;
  if (strcmp(how, "twice") == 0) tasks->tids[2] = tasks->tids[0];
  if (strcmp(how, "none") == 0) tasks->count = 0;
  if (strcmp(how, "outside") == 0) tasks->count = 3;
}

int __wrap_main(int argc, char** argv) {
  char* how = argc > 1 ? argv[1] : (char*)"parent";
  const int first = pvm_parent() < 0;
  struct list tasks = first ? spawn(argv[0], how) : receive();
  if (first && strcmp(how, "others") == 0) {
    for (int i = 0; i < tasks.count; i++) wait_for_end(tasks.tids[i]);
    return pvm_exit();
  }
  if (strcmp(how, "reversed") == 0) reverse(&tasks);
  if (strcmp(how, "late") == 0 && pvm_mytid() == tasks.tids[1]) wait_for_end(tasks.tids[4]);
  spoil(&tasks, how);
  if (strcmp(how, "nobody") != 0) setpvmtids_(&tasks.count, tasks.tids);
  return __real_main(argc, argv);
}
