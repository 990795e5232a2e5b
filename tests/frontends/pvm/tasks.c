/* SPDX-License-Identifier: BSD-3-Clause
 * Tests tasks of PVM: spawning, parents and siblings, ends and notices of them, and messages to
 * many.
 */
#include "report.h"

static void refused(const char* self) {
  int tids[2];
  VALUE(pvm_parent() == PvmNoParent);
  SHOW(pvm_spawn((char*)"/no/such/file", NULL, 0, (char*)"", 2, tids));
  VALUE(tids[0]);
  VALUE(tids[1]);
  SHOW(pvm_spawn((char*)"", NULL, 0, (char*)"", 2, tids));
  VALUE(tids[0]);
  SHOW(pvm_spawn((char*)self, NULL, 0, (char*)"", 0, tids));
  SHOW(pvm_spawn((char*)self, NULL, PvmTaskHost, (char*)"no-such-host", 1, tids));
  VALUE(tids[0]);
}

static void family(const int* tids) {
  VALUE(tids[0] != tids[1] && tids[1] != tids[2] && tids[0] != pvm_mytid());
  VALUE(pvm_tidtohost(tids[0]) == pvm_tidtohost(pvm_mytid()));
  for (int i = 0; i < 3; ++i) put(tids[i], tag_go, i);
  for (int i = 0; i < 3; ++i) {
    int value = 0, parent_is_me = 0, siblings = 0, place = 0, arguments = 0;
    pvm_recv(tids[i], tag_answer);
    pvm_unpackf("%d %d %d %d %d", &value, &parent_is_me, &siblings, &place, &arguments);
    printf("task %d: value %d, parent %d, siblings %d, place %d, arguments %d\n", i, value,
           parent_is_me, siblings, place, arguments);
  }
}

static void print_gone(int tag, const int* tids) {
  int tid = 0;
  pvm_recv(-1, tag);
  pvm_upkint(&tid, 1, 1);
  printf("gone: %s\n", name_of_tid(tid, tids, 3));
}

static void endings(int* tids) {
  SHOW(pvm_pstat(tids[0]));
  SHOW(pvm_notify(PvmTaskExit, 60, 3, tids));
  SHOW(pvm_notify(99, 60, 3, tids));
  put(tids[1], tag_end, 0);
  print_gone(60, tids);
  SHOW(pvm_pstat(tids[1]));
  SHOW(pvm_send(tids[1], 5));
  SHOW(pvm_kill(tids[0]));
  print_gone(60, tids);
  SHOW(pvm_sendsig(tids[2], 9));
  print_gone(60, tids);
  SHOW(pvm_notify(PvmTaskExit, 61, 1, tids));
  print_gone(61, tids);
}

void tasks(const char* self) {
  int tids[3], *siblings = NULL, count = 0;
  struct pvmtaskinfo* list = NULL;
  refused(self);
  start(self, "answer", 3, tids);
  family(tids);
  endings(tids);
  VALUE(pvm_siblings(&siblings) == 1 && siblings[0] == pvm_mytid());
  SHOW(pvm_config(&count, NULL, NULL));
  VALUE(count);
  SHOW(pvm_tasks(pvm_mytid(), &count, &list));
  VALUE(count == 1 && list[0].ti_tid == pvm_mytid() && list[0].ti_pid == getpid());
}

void answer(int argc) {
  int* siblings = NULL;
  int value = 0, place = -1;
  pvm_recv(pvm_parent(), tag_go);
  pvm_upkint(&value, 1, 1);
  const int count = pvm_siblings(&siblings);
  for (int i = 0; i < count; ++i) {
    if (siblings[i] == pvm_mytid()) place = i;
  }
  int from = 0;
  pvm_bufinfo(pvm_getrbuf(), NULL, NULL, &from);
  pvm_packf("%+ %d %d %d %d %d", PvmDataDefault, value, from == pvm_parent(), count, place, argc);
  pvm_send(pvm_parent(), tag_answer);
  pvm_recv(-1, tag_end);
  pvm_exit();
  exit(0);
}

/* A message goes to many tasks. All waiting messages are received in the order sent. */
void crowd(const char* self) {
  enum { count = 3, rounds = 20 };
  int tids[count], sum = 0;
  start(self, "relay", count, tids);
  for (int i = 0; i < rounds; ++i) {
    pvm_initsend(PvmDataRaw);
    pvm_pkint(&i, 1, 1);
    if (pvm_mcast(tids, count, tag_go) != 0) printf("mcast failed\n");
  }
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < rounds; ++i) {
      int value = -1;
      pvm_recv(tids[k], tag_answer);
      pvm_upkint(&value, 1, 1);
      if (value != i) printf("task %d: %d instead of %d\n", k, value, i);
      sum += value;
    }
  }
  VALUE(sum);
}

void relay(void) {
  for (int i = 0; i < 20; ++i) {
    pvm_recv(pvm_parent(), tag_go);
    pvm_setsbuf(pvm_getrbuf());
    pvm_send(pvm_parent(), tag_answer);
    pvm_setsbuf(0);
  }
  pvm_exit();
  exit(0);
}
