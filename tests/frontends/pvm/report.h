/* SPDX-License-Identifier: BSD-3-Clause
 * Prints the observations of the test programs of PVM, one a line, without values that differ
 * from run to run. The real PVM must print the same lines. */
#ifndef TUTTI_TESTS_PVM_REPORT_H
#define TUTTI_TESTS_PVM_REPORT_H

#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char group[] __attribute__((unused)) = "g";
enum { tag_go = 1, tag_answer = 2, tag_end = 3, ranks = 4 };

/* Prints the result of a call: an error with its number, otherwise only "ok". */
#define SHOW(call) show(#call, (call))
/* Prints the number itself. */
#define VALUE(expression) printf("%s = %d\n", #expression, (int)(expression))

static inline void show(const char* what, int result) {
  if (result < 0) {
    printf("%s: error %d\n", what, result);
  } else {
    printf("%s: ok\n", what);
  }
}

static inline const char* name_of_tid(int tid, const int* tids, int count) {
  static char name[32];
  if (tid == pvm_mytid()) return "me";
  for (int i = 0; i < count; ++i) {
    if (tids[i] == tid) {
      snprintf(name, sizeof name, "task %d", i);
      return name;
    }
  }
  return "somebody";
}

/* Starts `count` copies of this program that do what `word` says. */
static inline void start(const char* self, const char* word, int count, int* tids) {
  char role[32];
  snprintf(role, sizeof role, "%s", word);
  char* arguments[] = {(char*)"task", role, NULL};
  const int started = pvm_spawn((char*)self, arguments, PvmTaskDefault, (char*)"", count, tids);
  if (started != count) {
    printf("only %d of %d tasks started: %d\n", started, count, tids[0]);
    exit(1);
  }
}

static inline void put(int tid, int tag, int value) {
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&value, 1, 1);
  pvm_send(tid, tag);
}

static inline int get(int tid, int tag) {
  int value = -1;
  pvm_recv(tid, tag);
  pvm_upkint(&value, 1, 1);
  return value;
}

/* The sections of the program, and the functions that their tasks run. */
void buffers(void);
void messages(void);
void contexts(void);
void mailbox(void);
void tasks(const char* self);
void answer(int arguments);
void crowd(const char* self);
void relay(void);
void instances(const char* self);
void many_names(void);
void meetings(const char* self);
void frozen(const char* self);
void servant(void);
void data(const char* self, const char* word);
void member(int with_all_types);
void back_to_back(const char* self);
void runner(void);
void deaths(const char* self);
void victim(int kind);
void lost_member(const char* self);
void remote_member(int kind);
void churn(const char* self, int batches, int at_a_time);
void batch_member(int number);
int sender(const char* how);
void leftovers(const char* self, const char* how);
void chance(const char* self, int first, int count);
void helper(void);
void console(const char* word);

#endif
