/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of PVM to and fro: packed, sent, received from anybody and unpacked. The program starts
 * its second task. Argument: rounds. */
#include <pvm3.h>

#include "turns.h"

static int me, other;

static void pass(int from, char* data, int bytes) {
  if (me == from) {
    pvm_initsend(PvmDataRaw);
    pvm_pkbyte(data, bytes, 1);
    pvm_send(other, 7);
  } else {
    pvm_recv(-1, 7);
    pvm_upkbyte(data, bytes, 1);
  }
}

int main(int argc, char** argv) {
  char* arguments[] = {argc > 1 ? argv[1] : NULL, NULL};
  char* data = calloc(4 << 20, 1);
  pvm_mytid();
  other = pvm_parent();
  me = other == PvmNoParent ? 0 : 1;
  if (me == 0 && pvm_spawn(argv[0], arguments, PvmTaskDefault, NULL, 1, &other) != 1) return 1;
  measure("pvm", me, data, argc > 1 ? atoi(argv[1]) : 1);
  pvm_exit();
  free(data);
  return 0;
}
