// SPDX-License-Identifier: BSD-3-Clause
// A program of PVM for test_record.py: tasks of one group wait for each other and send messages.
#include <pvm3.h>

int main(void) {
  enum { tasks = 3 };
  char group[] = "all";
  const int me = pvm_joingroup(group);
  pvm_barrier(group, tasks);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&(int){me}, 1, 1);
  pvm_send(pvm_gettid(group, (me + 1) % tasks), 5);
  pvm_recv(-1, 5);
  pvm_barrier(group, tasks);
  pvm_exit();
  return 0;
}
