/* SPDX-License-Identifier: BSD-3-Clause
 * Sends messages in a circle, and makes sums and barriers of a group for ever, with 4 tasks. A task
 * to which PVM gives an error ends with code 5. Each task first prints its process and its tid.
 * test_random_kills.py kills one of the processes. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { tasks = 4, tag_ring = 1, tag_sum = 2, error_code = 5 };
static char group[] = "g";

static void need(int result) {
  if (result < 0) exit(error_code);
}

int main(int argc, char** argv) {
  int ignored[tasks], value = 0;
  (void)argc;
  printf("%d is t%x\n", (int)getpid(), (unsigned)pvm_mytid());
  fflush(stdout);
  if (pvm_parent() == PvmNoParent) {
    if (pvm_spawn(argv[0], NULL, PvmTaskDefault, (char*)"", tasks - 1, ignored) != tasks - 1)
      exit(error_code);
  }
  const int me = pvm_joingroup(group);
  need(me);
  need(pvm_barrier(group, tasks));
  const int next = pvm_gettid(group, (me + 1) % tasks);
  const int previous = pvm_gettid(group, (me + tasks - 1) % tasks);
  need(next);
  need(previous);
  for (;;) {
    need(pvm_initsend(PvmDataDefault));
    need(pvm_pkint(&value, 1, 1));
    need(pvm_send(next, tag_ring));
    need(pvm_recv(previous, tag_ring));
    need(pvm_reduce(PvmSum, &value, 1, PVM_INT, tag_sum, group, 0));
    need(pvm_barrier(group, tasks));
  }
}
