/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that console.py starts in a machine. They wait to be ended (one ignores SIGTERM),
 * meet another program that the user has started, or look at the machine. */
#include <signal.h>

#include "report.h"

static void meet(void) {
  enum { both = 2 };
  int one = 1;
  const int me = pvm_joingroup(group);
  pvm_barrier(group, both);
  pvm_reduce(PvmSum, &one, 1, PVM_INT, 1, group, 0);
  if (me == 0) {
    pvm_packf("%+ %d", PvmDataDefault, one);
    pvm_bcast(group, tag_answer);
  } else {
    one = get(-1, tag_answer);
  }
  printf("sum %d\n", one);
  pvm_barrier(group, both);
}

void console(const char* word) {
  if (strcmp(word, "stubborn") == 0) signal(SIGTERM, SIG_IGN);
  while (strcmp(word, "wait") == 0 || strcmp(word, "stubborn") == 0) pause();
  if (strcmp(word, "meet") == 0) meet();
  if (strcmp(word, "alone") == 0) {
    int count = 0;
    pvm_tasks(0, &count, NULL);
    printf("%d others\n", count - 1);
  }
}
