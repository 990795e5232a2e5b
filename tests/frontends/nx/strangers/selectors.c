/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Node 0 learns the length of a message by a probe before it has a buffer for it, and takes
 * messages by type, by a mask of types, by the node, and by any type. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>

long bad = 0;

expect(what, got, want) char* what;
long got, want;
{
  if (got == want) return;
  printf("selectors: node %ld: %s is %ld instead of %ld\n", mynode(), what, got, want);
  bad++;
}

/* Node i sends i + 1 bytes, each with its number, to node 0 with the type 1000 + i. */
unknown_lengths(me, p) long me, p;
{
  char *buf, seen[1024];
  long i, k, n, from;

  buf = malloc(me + 1);
  for (i = 0; i <= me; i++) buf[i] = me;
  csend(1000 + me, buf, me + 1, 0, mypid());
  free(buf);
  if (me != 0) return;
  for (i = 0; i < p; i++) seen[i] = 0;
  for (k = 0; k < p; k++) {
    cprobe(-1);
    n = infocount();
    from = infonode();
    expect("the probed type", infotype(), 1000 + from);
    expect("the probed length", n, from + 1);
    expect("the process type", infoptype(), 0L);
    buf = malloc(n);
    crecv(infotype(), buf, n);
    expect("the received length", infocount(), n);
    for (i = 0; i < n; i++) expect("a byte", (long)buf[i], from);
    if (seen[from]++) expect("a second message of a node", 1L, 0L);
    free(buf);
  }
}

/* Each node sends the types 3, 5, 4 and 40 to itself and picks them in another order. */
masks(me) long me;
{
  long x, type;
  for (type = 3; type <= 5; type++) csend(type, &type, sizeof type, me, 0);
  type = 40;
  csend(type, &type, sizeof type, me, 0);
  expect("iprobe of a type that was not sent", iprobe(6L), 0L);
  crecv(0x80000030, &x, sizeof x); /* 4 or 5 */
  expect("the first of 4 and 5", x, 4L);
  crecv((1 << 31) | (1 << 5) | (1 << 6), &x, sizeof x);
  expect("5 or 6", x, 5L);
  crecv(0xc0000000, &x, sizeof x); /* 30 and above */
  expect("30 and above", x, 40L);
  expect("infotype", infotype(), 40L);
  while (!iprobe(-1L)) flick();
  expect("what is left", infotype(), 3L);
  crecv(-1, &x, sizeof x);
  expect("any", x, 3L);
}

/* Node 0 takes the messages of the last node first, though all have one type, then those of the
 * others in the order in which each node has sent them. */
by_node(me, p) long me, p;
{
  long k, i, x, info[8], id;
  for (k = 0; k < 3; k++) {
    x = 10 * me + k;
    csend(7, &x, sizeof x, 0, 0);
  }
  if (me != 0) return;
  for (i = p - 1; i >= 0; i--)
    for (k = 0; k < 3; k++) {
      x = -1;
      if (k == 1) {
        id = irecvx(7, &x, sizeof x, i, -1, info);
        msgwait(id);
      } else if (k == 2) {
        cprobex(-1, i, 0, info);
        expect("the length of cprobex", info[1], (long)sizeof x);
        crecvx(7, &x, sizeof x, i, 0, msginfo);
        expect("infonode after crecvx with msginfo", infonode(), i);
      } else
        crecvx(-1, &x, sizeof x, i, -1, info);
      expect("x", x, 10 * i + k);
      expect("info[0]", info[0], 7L);
      expect("info[2]", info[2], i);
      expect("info[3]", info[3], 0L);
    }
}

/* The receive that was posted first gets the first message, and a crecv gets what is left. */
posted(me, p) long me, p;
{
  long a = -1, b = -1, c = -1, x, ida, idb, to = (me + 1) % p, from = (me + p - 1) % p;
  ida = irecv(60, &a, sizeof a);
  idb = irecv(60, &b, sizeof b);
  gsync();
  x = 100 * me;
  csend(60, &x, sizeof x, to, 0);
  x++;
  csend(60, &x, sizeof x, to, 0);
  x++;
  csend(60, &x, sizeof x, to, 0);
  crecv(60, &c, sizeof c);
  msgwait(idb);
  msgwait(ida);
  expect("the first", a, 100 * from);
  expect("the second", b, 100 * from + 1);
  expect("the third", c, 100 * from + 2);
}

/* Messages that nobody wants, and a receive that is taken back. */
discarded(me) long me;
{
  long x = 1, id;
  csend(70, &x, sizeof x, me, 0);
  csend(71, &x, sizeof x, me, 0);
  while (!iprobe(71)) flick();
  flushmsg(70, me, 0);
  expect("iprobe after flushmsg", iprobe(70), 0L);
  crecv(71, &x, sizeof x);
  x = 0;
  id = irecv(72, &x, sizeof x);
  msgcancel(id);
  expect("x after msgcancel", x, 0L);
}

main() {
  long me = mynode(), p = numnodes(), work;
  unknown_lengths(me, p);
  gsync();
  masks(me);
  gsync();
  by_node(me, p);
  gsync();
  posted(me, p);
  discarded(me);
  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0) printf("selectors: ok on %ld nodes\n", p);
  exit(bad ? 1 : 0);
}
