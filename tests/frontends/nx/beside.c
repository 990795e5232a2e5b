/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NX beside other interfaces in one process: messages of one never reach another, whatever a
 * receive accepts.
 */
#include <pvm3.h>
#include <tutti-blacs/tutti_blacs.h>
#include <tutti/tutti.h>

#include "conformance/check.h"

long failures = 0;

int main(void) {
  const long me = mynode(), next = (me + 1) % numnodes();
  const int tid = pvm_mytid();
  int context, in_pvm = 30, got_pvm = 0, bytes = 0, tag = 0, from = 0, rank = 0;
  double in_blacs = 4.5, got_blacs = 0;
  long in_nx = 100 + me, got_nx = 0;
  int64_t in_tutti = 200 + me, got_tutti = 0;
  tutti_data sent = tutti_array(&in_tutti, 1, TUTTI_INT64);
  tutti_data received = tutti_array(&got_tutti, 1, TUTTI_INT64);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, (int)numnodes());

  csend(3, &in_nx, sizeof in_nx, next, 0);
  csend(3, &in_nx, sizeof in_nx, me, 0);
  tutti_send(tutti_world(), &sent, (int)next, 0);
  Cdgesd2d(context, 1, 1, &in_blacs, 1, 0, (int)next);
  pvm_initsend(PvmDataDefault);
  pvm_pkint(&in_pvm, 1, 1);
  pvm_send(tid, 3);

  CHECK(pvm_bufinfo(pvm_recv(-1, -1), &bytes, &tag, &from) == PvmOk);
  CHECK(pvm_upkint(&got_pvm, 1, 1) == PvmOk && got_pvm == 30 && tag == 3 && from == tid);
  CHECK(pvm_probe(-1, -1) == 0); /* looks at every message that has come */
  CHECK(tutti_receive(tutti_world(), &received, TUTTI_ANY, TUTTI_ANY, &rank, NULL) == TUTTI_OK);
  CHECK(got_tutti == 200 + rank);
  for (int i = 0; i < 2; i++) {
    crecv(-1, &got_nx, sizeof got_nx);
    CHECK(infotype() == 3 && got_nx == 100 + infonode());
  }
  CHECK(iprobe(-1) == 0);
  CHECK(pvm_nrecv(-1, -1) == 0);
  Cdgerv2d(context, 1, 1, &got_blacs, 1, 0, (int)((me + numnodes() - 1) % numnodes()));
  CHECK(got_blacs == 4.5);
  Cblacs_gridexit(context);
  if (failures == 0 && me == 0) puts("no message has gone astray");
  return failures != 0;
}
