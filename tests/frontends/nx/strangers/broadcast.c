/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcasts by csend to node -1, which the other nodes receive by crecv, by irecv or after a
 * probe: with usual types, and with forced types after a gsync. */
#include <nx.h>
#include <stdio.h>
#define BIG 300000
#define FORCE(t) ((t) | (1 << 30))

char x[BIG];

fill(n, seed) long n, seed;
{
  long i;
  for (i = 0; i < n; i++) x[i] = seed + i % 101;
}

long differs(n, seed)
long n, seed;
{
  long i, bad = 0;
  for (i = 0; i < n; i++) bad += x[i] != (char)(seed + i % 101);
  return bad;
}

/* Each node broadcasts each size, and the others receive in three ways. */
long usual(me, p)
long me, p;
{
  static long sizes[] = {0, 1, 16, 101, 1024, 65536, BIG};
  long root, s, n, id, bad = 0;
  for (root = 0; root < p; root++)
    for (s = 0; s < 7; s++) {
      n = sizes[s];
      fill(n, me == root ? root : 77L);
      if (me == root)
        csend(50 + s, x, n, -1, 0);
      else if (s % 3 == 0)
        crecv(50 + s, x, sizeof(x));
      else if (s % 3 == 1) {
        id = irecv(50 + s, x, sizeof(x));
        msgwait(id);
      } else {
        cprobe(50 + s);
        if (infocount() != n) bad++;
        crecv(infotype(), x, infocount());
      }
      if (me != root && (infonode() != root || infocount() != n || infotype() != 50 + s)) bad++;
      bad += differs(n, root);
    }
  return bad;
}

/* With forced types, each receive is posted before the nodes meet. */
long forced(me, p)
long me, p;
{
  long root, id, bad = 0;
  for (root = 0; root < p; root++) {
    fill((long)BIG, me == root ? 2 * root : 77L);
    if (me != root) id = irecv(FORCE(root), x, BIG);
    gsync();
    if (me == root)
      csend(FORCE(root), x, BIG, -1, 0);
    else
      msgwait(id);
    bad += differs((long)BIG, 2 * root);
    gsync();
  }
  return bad;
}

main() {
  long me = mynode(), p = numnodes(), i, n, few[64], bad, work;
  bad = usual(me, p);
  bad += forced(me, p);

  /* A message to the nodes with odd numbers only. */
  for (n = 0, i = 1; i < p; i += 2) few[n++] = i;
  fill(1000L, me == 0 ? 5L : 0L);
  if (me == 0) gsendx(90, x, 1000, few, n);
  if (me % 2) crecv(90, x, 1000);
  bad += differs(1000L, me == 0 || me % 2 ? 5L : 0L);

  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0) printf("broadcast: ok on %ld nodes\n", p);
  exit(bad != 0);
}
