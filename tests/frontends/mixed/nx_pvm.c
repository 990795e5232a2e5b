/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of PVM whose tasks are also the nodes of NX: sums and messages of NX run between
 * packing and receiving, and neither interface receives messages of the other.
 */
#include <nx.h>
#include <pvm3.h>
#include <stdio.h>

#define N 2000
#define ROUNDS 20

static long bad;
#define CHECK(c) \
  if (!(c)) bad++, printf("node %ld: wrong at line %d\n", mynode(), __LINE__)

int main(void) {
  const long me = mynode(), p = numnodes(), next = (me + 1) % p, before = (me + p - 1) % p;
  int tid = pvm_mytid(), tids[64], k, i, out[N], in[N], bytes, tag, from;
  long mine = tid, all[64], lens[64], heard, note, work;
  for (i = 0; i < p; i++) lens[i] = sizeof mine;
  /* NX tells the task identifiers, in the order of its nodes. */
  gcolx(&mine, lens, all);
  for (i = 0; i < p; i++) tids[i] = (int)all[i];
  CHECK(tids[me] == tid);
  for (i = 0; i < p; i++) CHECK(i == me || tids[i] != tid);
  CHECK(pvm_joingroup("nodes") >= 0);
  pvm_barrier("nodes", (int)p);
  for (k = 0; k < ROUNDS; k++) {
    double one = 1, w;
    int sum = (int)me;
    for (i = 0; i < N; i++) out[i] = (int)me * 10000 + i + k;
    pvm_initsend(PvmDataDefault);
    pvm_pkint(out, N, 1);
    CHECK(pvm_send(tids[next], k) == PvmOk);
    note = me * 100 + k;
    csend(k, &note, (long)sizeof note, next, 0);
    gdsum(&one, 1, &w);
    CHECK(one == (double)p);
    gsync();
    CHECK(pvm_bufinfo(pvm_recv(-1, -1), &bytes, &tag, &from) == PvmOk);
    CHECK(from == tids[before] && tag == k);
    CHECK(pvm_upkint(in, N, 1) == PvmOk);
    for (i = 0; i < N; i++) CHECK(in[i] == (int)before * 10000 + i + k);
    CHECK(pvm_nrecv(-1, -1) == 0);
    crecv(-1, &heard, (long)sizeof heard);
    CHECK(infonode() == before && infotype() == k && heard == before * 100 + k);
    CHECK(iprobe(-1) == 0);
    CHECK(pvm_reduce(PvmSum, &sum, 1, PVM_INT, 5, "nodes", 0) >= 0);
    if (pvm_getinst("nodes", tid) == 0) CHECK(sum == p * (p - 1) / 2);
    pvm_barrier("nodes", (int)p);
  }
  gisum(&bad, 1, &work);
  if (me == 0) printf("NX and PVM on %ld nodes: %d rounds, %ld wrong\n", p, ROUNDS, bad);
  pvm_exit();
  return bad != 0;
}
