/* SPDX-License-Identifier: BSD-3-Clause
 * Programs whose tasks end before they join, or wait for what nobody will do any more. ends.py runs
 * them. The first argument names the case; tasks have "task" before it. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { tag_news = 1, sleep_microseconds = 500000 };
static char group[] = "g";
static const char* self;

static void spawn(int count, const char* word, int* tids) {
  char role[32];
  snprintf(role, sizeof role, "%s", word);
  char* arguments[] = {(char*)"task", role, NULL};
  if (pvm_spawn((char*)self, arguments, PvmTaskDefault, (char*)"", count, tids) != count) exit(2);
}

static void send_news(int tid) {
  pvm_initsend(PvmDataDefault);
  pvm_send(tid, tag_news);
}

static void meet(int count) {
  pvm_joingroup(group);
  const int result = pvm_barrier(group, count);
  printf("barrier %d\n", result);
}

static void wait_for_news(int tid, int tag) {
  const int result = pvm_recv(tid, tag);
  printf("recv %s\n", result > 0 ? "ok" : result == PvmSysErr ? "-14" : "wrong");
}

static void be_task(const char* word) {
  if (strcmp(word, "abort") == 0) abort();
  if (strcmp(word, "exit") == 0) exit(3);
  if (strcmp(word, "nothing") == 0) exit(0);
  if (strcmp(word, "member") == 0) meet(3);
  if (strcmp(word, "print") == 0) {
    fprintf(stderr, "on stderr\n");
    printf("on stdout\n");
    fflush(stdout);
  }
  if (strcmp(word, "late") == 0) { /* the task that sends first is not there yet */
    int tid;
    pvm_mytid();
    usleep(sleep_microseconds);
    spawn(1, "news", &tid);
    pvm_recv(-1, tag_news);
    send_news(pvm_parent());
  }
  if (strcmp(word, "news") == 0 || strcmp(word, "print") == 0) send_news(pvm_parent());
  if (strcmp(word, "patient") == 0) { /* waits for less than ever */
    struct timeval limit = {0, sleep_microseconds};
    pvm_trecv(-1, -1, &limit);
    send_news(pvm_parent());
  }
  pvm_exit();
}

static void be_first(const char* word) {
  int tids[2];
  if (strcmp(word, "alone") == 0) wait_for_news(-1, -1);
  if (strcmp(word, "info") == 0)
    printf("info %d\n", pvm_recvinfo((char*)"nowhere", 0, PvmMboxWaitForInfo));
  if (strcmp(word, "meet") == 0) meet(2); /* with a program that the user starts later */
  if (strcmp(word, "abort") == 0 || strcmp(word, "exit") == 0 || strcmp(word, "nothing") == 0) {
    spawn(1, word, tids);
    meet(2);
    wait_for_news(-1, -1);
    wait_for_news(tids[0], tag_news);
  }
  if (strcmp(word, "member") == 0) { /* one of three never comes */
    spawn(1, "member", tids);
    spawn(1, "abort", tids);
    meet(3);
  }
  if (strcmp(word, "late") == 0 || strcmp(word, "patient") == 0 || strcmp(word, "print") == 0) {
    spawn(1, word, tids);
    wait_for_news(-1, tag_news);
  }
  pvm_exit();
}

int main(int argc, char** argv) {
  self = argv[0];
  if (argc > 2 && strcmp(argv[1], "task") == 0)
    be_task(argv[2]);
  else if (argc > 1)
    be_first(argv[1]);
  return 0;
}
