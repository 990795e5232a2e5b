/* SPDX-License-Identifier: BSD-3-Clause
 * A program of PVM as they were written: without prototypes. Four tasks add their instance numbers.
 */
#include <stdio.h>
#include "pvm3.h"

#define TASKS 4

main(argc, argv) int argc;
char** argv;
{
  int tids[TASKS], me, sum;
  me = pvm_joingroup("workers");
  if (pvm_parent() < 0) pvm_spawn(argv[0], (char**)0, 0, "", TASKS - 1, tids);
  pvm_barrier("workers", TASKS);
  sum = me;
  pvm_reduce(PvmSum, &sum, 1, PVM_INT, 7, "workers", 0);
  if (me == 0) printf("sum %d\n", sum);
  pvm_barrier("workers", TASKS);
  pvm_exit();
  return 0;
}
