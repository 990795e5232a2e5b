/* SPDX-License-Identifier: BSD-3-Clause
 * Sends messages around a ring and sums them for ever, on the nodes of the job or on 4.
 * test_hard_kills.py kills one of them. */
#include <nx.h>

enum { message_type = 7 };

int main(void) {
  const long me = mynode(), n = numnodes();
  for (long value = me;; ++value) {
    long sum = value, work = 0;
    csend(message_type, &value, sizeof value, (me + 1) % n, 0);
    crecv(message_type, &work, sizeof work);
    gisum(&sum, 1, &work);
    gsync();
  }
}
