// SPDX-License-Identifier: BSD-3-Clause
// PVM: pvm_nrecv and pvm_probe. The program starts three others.
#include <pvm3.h>
#include <stddef.h>
#include <stdlib.h>

#include "polls.h"

const char* const interface_name = "pvm";
const char* const ways[MOST_WAYS] = {"pvm_nrecv", "pvm_probe"};

static char group[] = "polls";
static int tids[4];

int start(int* argc, char*** argv, int* rank) {
  (void)argc;
  *rank = pvm_joingroup(group);
  if (pvm_parent() == PvmNoParent &&
      pvm_spawn((*argv)[0], *argv + 1, PvmTaskDefault, NULL, 3, tids) != 3)
    exit(3);
  pvm_barrier(group, 4);
  for (int i = 0; i < 4; ++i) tids[i] = pvm_gettid(group, i);
  return 4;
}

void finish(void) {
  pvm_barrier(group, 4);
  pvm_exit();
}

void send_token(int to) {
  int token = 5;
  pvm_initsend(PvmDataRaw);
  pvm_pkint(&token, 1, 1);
  pvm_send(tids[to], 7);
}

int look_for_token(int way, int from) {
  if (way == 0) return pvm_nrecv(tids[from], 7) > 0;
  if (pvm_probe(tids[from], 7) <= 0) return 0;
  pvm_recv(tids[from], 7);
  return 1;
}
