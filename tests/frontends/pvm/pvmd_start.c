/* SPDX-License-Identifier: BSD-3-Clause
 * Starts tasks of a real PVM together and prints their output: pvmd_start PROGRAM COUNT. */
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64, tag_ended = 1 };

int main(int argc, char** argv) {
  int tids[most];
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  if (count < 1 || count > most) return 2;
  pvm_catchout(stdout);
  if (pvm_spawn(argv[1], NULL, PvmTaskDefault, (char*)"", count, tids) != count) return 1;
  pvm_notify(PvmTaskExit, tag_ended, count, tids);
  for (int i = 0; i < count; ++i) pvm_recv(-1, tag_ended);
  pvm_exit();
  return 0;
}
