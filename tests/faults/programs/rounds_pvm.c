/* SPDX-License-Identifier: BSD-3-Clause
 * A small machine of PVM: a task spawns two others, which form a group, sum and answer. The parent
 * prints what all say. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>

enum { tasks = 3, tag = 7 };

static void need(int result) {
  if (result >= 0) return;
  pvm_perror((char*)"rounds_pvm");
  exit(5);
}

int main(int argc, char** argv) {
  (void)argc;
  need(pvm_mytid());
  const int parent = pvm_parent();
  int others[tasks - 1];
  if (parent == PvmNoParent &&
      pvm_spawn(argv[0], NULL, PvmTaskDefault, (char*)"", tasks - 1, others) != tasks - 1) {
    fprintf(stderr, "rounds_pvm: pvm_spawn has not started all tasks: error %d\n", others[0]);
    pvm_exit();
    return 5;
  }
  const int me = pvm_joingroup((char*)"rounds");
  need(me);
  need(pvm_barrier((char*)"rounds", tasks));
  int sum = 1 + (parent != PvmNoParent);
  const int root = parent == PvmNoParent ? pvm_mytid() : parent;
  const int place = pvm_getinst((char*)"rounds", root);
  need(place);
  need(pvm_reduce(PvmSum, &sum, 1, PVM_INT, tag, (char*)"rounds", place));
  if (parent == PvmNoParent) {
    int total = 0;
    for (int i = 1; i < tasks; ++i) {
      int said = 0;
      need(pvm_recv(-1, tag + 1));
      need(pvm_upkint(&said, 1, 1));
      total += said;
    }
    printf("sum %d, answers %d\n", sum, total);
  } else {
    int answer = 21;
    need(pvm_initsend(PvmDataDefault));
    need(pvm_pkint(&answer, 1, 1));
    need(pvm_send(parent, tag + 1));
  }
  need(pvm_barrier((char*)"rounds", tasks));
  pvm_exit();
  return 0;
}
