// SPDX-License-Identifier: BSD-3-Clause
// A program of NX for test_record.py: three nodes send messages of types and post receives.
#include <nx.h>

int main(void) {
  double out[4] = {1, 2, 3, 4}, in[4] = {0};
  const long me = mynode(), next = (me + 1) % numnodes();
  const long posted = irecv(11, (char*)in, sizeof in);
  csend(11, (char*)out, sizeof out, next, 0);
  msgwait(posted);
  csend(12, (char*)out, 8, next, 0);
  cprobe(12);
  crecv(12, (char*)in, sizeof in);
  gsync();
  return 0;
}
