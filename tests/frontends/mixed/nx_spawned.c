/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An NX program inside of PVM: the first task spawns three others, which are the nodes 0 to 2 of NX
 * among themselves. They send and sum by NX, and tell the first task by PVM.
 */
#include <nx.h>
#include <pvm3.h>
#include <stdio.h>
#include <string.h>

#define NODES 3

static int node(void) {
  const long me = mynode(), p = numnodes(), next = (me + 1) % p;
  long work, sum = me, heard = -1;
  int told[4];
  csend(5, &me, sizeof me, next, 0);
  gisum(&sum, 1, &work);
  crecv(-1, &heard, sizeof heard);
  told[0] = (int)me, told[1] = (int)p, told[2] = (int)sum, told[3] = (int)heard;
  pvm_initsend(PvmDataDefault);
  pvm_pkint(told, 4, 1);
  pvm_send(pvm_parent(), 9);
  pvm_exit();
  return 0;
}

int main(int argc, char** argv) {
  char* arguments[] = {(char*)"node", NULL};
  int tids[NODES], told[4], bad = 0, seen = 0, i, bytes, tag, from;
  if (argc > 1 && strcmp(argv[1], "node") == 0) return node();
  pvm_mytid();
  if (pvm_spawn(argv[0], arguments, PvmTaskDefault, (char*)"", NODES, tids) != NODES) return 2;
  for (i = 0; i < NODES; i++) {
    pvm_bufinfo(pvm_recv(-1, -1), &bytes, &tag, &from);
    pvm_upkint(told, 4, 1);
    bad += tag != 9 || told[1] != NODES || told[2] != NODES * (NODES - 1) / 2;
    bad += told[0] < 0 || told[0] >= NODES || told[3] != (told[0] + NODES - 1) % NODES;
    bad += from != tids[told[0]];
    seen |= 1 << told[0];
  }
  bad += seen != (1 << NODES) - 1;
  printf("NX in %d spawned tasks: %d wrong\n", NODES, bad);
  pvm_exit();
  return bad != 0;
}
