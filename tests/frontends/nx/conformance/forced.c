/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of forced types: those for which no receive is posted are discarded.
 */
#include "check.h"

static const long forced = 1073741824, last = 1999999999;

/* Each node sends to itself, so that it is known what has come. */
static void discarded(void) {
  long value = 1, got[3] = {0}, info[8];
  char big[5000] = "x";
  csend(forced, &value, sizeof value, mynode(), 0);
  csend(last, big, sizeof big, mynode(), 0);
  CHECK(iprobex(-1, mynode(), -1, info) == 0);
  const long id = irecv(forced, &got[0], sizeof got[0]);
  const long other = irecvx(-1, &got[1], sizeof got[1], mynode(), -1, info);
  value = 2;
  csend(forced, &value, sizeof value, mynode(), 0);
  value = 3;
  csend(forced, &value, sizeof value, mynode(), 0);
  value = 4;
  csend(forced, &value, sizeof value, mynode(), 0); /* nobody wants this one */
  msgwait(id);
  msgwait(other);
  CHECK(got[0] == 2 && got[1] == 3 && info[0] == forced);
  CHECK(iprobex(forced, mynode(), -1, info) == 0);
  csend(5, &value, sizeof value, mynode(), 0);
  crecvx(-1, &got[2], sizeof got[2], mynode(), -1, info);
  CHECK(got[2] == 4 && info[0] == 5);
}

/* The way in which programs use them: all receives are posted, then all nodes meet, then they send.
 */
static void exchange(void) {
  enum { most = 16 };
  static char out[4096], in[most][4096];
  long ids[most];
  const long nodes = numnodes() < most ? numnodes() : most;
  for (int round = 0; round < 20; round++) {
    for (long i = 1; i < nodes; i++) {
      const long from = (mynode() + i) % nodes;
      ids[i] = irecv(forced + from, in[from], sizeof in[from]);
    }
    gsync();
    memset(out, 'a' + (int)mynode() + round, sizeof out);
    for (long i = 1; i < nodes; i++)
      csend(forced + mynode(), out, sizeof out, (mynode() + nodes - i) % nodes, 0);
    for (long i = 1; i < nodes; i++) {
      const long from = (mynode() + i) % nodes;
      msgwait(ids[i]);
      CHECK(in[from][0] == 'a' + from + round && in[from][4095] == 'a' + from + round);
    }
    gsync();
  }
}

void test_forced(void) {
  discarded();
  exchange();
}
