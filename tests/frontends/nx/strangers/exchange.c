/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The complete exchange on the iPSC/860 (S. H. Bokhari, Complete Exchange on the iPSC-860, ICASE
 * Report 91-4, 1991, sections 4 and 5): each node has another block for each other node. pairwise_F
 * posts all receives of forced messages before a global synchronization, and two nodes exchange
 * messages of no bytes before their blocks. pairwise_U uses unforced messages and no
 * synchronization, linear sends to the nodes one after another, and standard, on a power of two
 * only, exchanges half of the blocks in each dimension of the cube. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORCED 1073741824
#define SYNC (FORCED + 100000)
#define MOST 64 /* nodes */

char *out, *in;
long me, n, cube;
long block_id[MOST], sync_id[MOST];

prepare(m) long m;
{
  long i, k;
  for (i = 0; i < n; i++)
    for (k = 0; k < m; k++) out[i * m + k] = 3 * me + 5 * i + k;
  memset(in, 0, n * m);
  memcpy(in + me * m, out + me * m, m);
}

long check(name, m)
char* name;
long m;
{
  long i, k, bad = 0;
  for (i = 0; i < n; i++)
    for (k = 0; k < m; k++) bad += in[i * m + k] != (char)(3 * i + 5 * me + k);
  if (bad) printf("exchange: node %ld has %ld wrong bytes after %s of %ld\n", me, bad, name, m);
  return bad;
}

pairwise_F(m) long m;
{
  long j, d;
  for (j = 1; j < cube; j++) {
    d = me ^ j;
    if (d >= n) continue;
    block_id[d] = irecv(FORCED + d, in + d * m, m);
    sync_id[d] = irecv(SYNC + d, (char*)0, 0);
  }
  gsync();
  for (j = 1; j < cube; j++) {
    d = me ^ j;
    if (d >= n) continue;
    csend(SYNC + me, (char*)0, 0, d, 0);
    msgwait(sync_id[d]);
    csend(FORCED + me, out + d * m, m, d, 0);
    msgwait(block_id[d]);
  }
}

pairwise_U(m) long m;
{
  long j, d, id;
  for (j = 1; j < cube; j++) {
    d = me ^ j;
    if (d >= n) continue;
    id = irecv(1000 + d, in + d * m, m);
    csend(1000 + me, out + d * m, m, d, 0);
    msgwait(id);
  }
}

linear(m) long m;
{
  long d;
  for (d = 0; d < n; d++)
    if (d != me) block_id[d] = irecv(FORCED + d, in + d * m, m);
  gsync();
  for (d = 0; d < n; d++)
    if (d != me) csend(FORCED + me, out + d * m, m, d, 0);
  for (d = 0; d < n; d++)
    if (d != me) msgwait(block_id[d]);
}

/* Before a step, place i has the block that node i or its opposite wants. The blocks for the other
 * half of the cube leave, and the blocks of that half for this one take their places. */
standard(m) long m;
{
  long bit, i, k, id;
  char *sent = malloc(n * m + 1), *came = malloc(n * m + 1), *have = malloc(n * m + 1);
  memcpy(have, out, n * m);
  for (bit = cube / 2; bit > 0; bit /= 2) {
    for (k = i = 0; i < n; i++)
      if ((i & bit) != (me & bit)) memcpy(sent + k++ * m, have + i * m, m);
    id = irecv(2000 + bit, came, k * m);
    csend(2000 + bit, sent, k * m, me ^ bit, 0);
    msgwait(id);
    for (k = i = 0; i < n; i++)
      if ((i & bit) != (me & bit)) memcpy(have + i * m, came + k++ * m, m);
  }
  memcpy(in, have, n * m);
  free(sent);
  free(came);
  free(have);
}

main() {
  static long sizes[] = {0, 1, 64, 100, 101, 4096, 20000};
  long s, m, bad = 0, work;

  me = mynode();
  n = numnodes();
  for (cube = 1; cube < n; cube *= 2)
    ;
  out = malloc(n * 20000);
  in = malloc(n * 20000);
  for (s = 0; s < 7; s++) {
    m = sizes[s];
    prepare(m);
    pairwise_F(m);
    bad += check("pairwise_F", m);
    prepare(m);
    pairwise_U(m);
    bad += check("pairwise_U", m);
    prepare(m);
    linear(m);
    bad += check("linear", m);
    if (n == 1 << nodedim()) {
      prepare(m);
      standard(m);
      bad += check("standard", m);
    }
    gsync();
  }
  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0) printf("exchange: ok on %ld nodes\n", n);
  exit(bad != 0);
}
