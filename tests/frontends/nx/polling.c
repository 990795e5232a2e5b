/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A layer over NX, as programs for several machines have it: _isend, _irecvx with a place for the
 * information, and _msgdone in a loop, with hundreds of open requests and more nodes than
 * processors. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
enum { many = 200 };
struct request {
  long id;
  struct {
    long type, length, src, ptype, sys[4];
  } info;
  int data[64];
};
int main(void) {
  const long me = mynode(), n = numnodes();
  struct request* in = calloc(many, sizeof *in);
  int out[many][64];
  long send[many], bad = 0, work;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < many; ++i) {
      in[i].id = _irecvx(i, in[i].data, sizeof in[i].data, (me + n - 1 - i % (n - 1)) % n, 0,
                         (long*)&in[i].info);
      bad += in[i].id < 0;
    }
    for (int i = many - 1; i >= 0; --i) {
      for (int k = 0; k < 64; ++k) out[i][k] = (int)(1000 * me + i + k);
      send[i] = _isend(i, out[i], (1 + i % 64) * sizeof(int), (me + 1 + i % (n - 1)) % n, 0);
    }
    for (int i = 0, left = many; left > 0; i = (i + 1) % many) {
      if (in[i].id < 0) continue;
      const long done = _msgdone(in[i].id);
      if (done < 0) ++bad;
      if (done != 0) {
        in[i].id = -1, --left;
        const long src = (me + n - 1 - i % (n - 1)) % n;
        bad += in[i].info.src != src || in[i].info.type != i ||
               in[i].info.length != (long)((1 + i % 64) * sizeof(int));
        bad += in[i].data[i % 64] != 1000 * src + i + i % 64;
      }
    }
    for (int i = 0; i < many; ++i) msgwait(send[i]);
    gsync();
  }
  gisum(&bad, 1, &work);
  if (me == 0) puts(bad ? "WRONG" : "right");
  return 0;
}
