/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A counter that the nodes share: node 0 holds it, and its handler answers each request while the
 * program computes. The handler posts itself again. masktrap protects what both change. */
#include <nx.h>
#include <stdio.h>
#define REQUEST 500
#define ANSWER 501
#define DONE 502
#define EACH 20 /* requests of a node */

long request, answer, counter = 0, served = 0, bad = 0, sent = 0;
double xs[10], ys[10];

serve(type, count, node, ptype) long type, count, node, ptype;
{
  if (type != REQUEST || count != sizeof(long) || ptype != 0) bad++;
  if (request != node * 3) bad++;
  answer = counter++;
  served++;
  csend(ANSWER, &answer, sizeof answer, node, ptype);
  hrecv(REQUEST, &request, sizeof request, serve);
}

void told(hparam) long hparam;
{ sent += hparam; }

void arrived(type, count, node, ptype) long type, count, node, ptype;
{
  if (type != 600 || count != 80 || node != mynode()) bad++;
  sent += 1000;
}

/* Node 0 computes. Its handler runs in the calls that it makes now and then. */
compute(p) long p;
{
  long old, seen = 0;
  while (seen < EACH * (p - 1)) {
    old = masktrap(1L);
    if (old != 0) bad++;
    seen = served;
    if (counter != served) bad++;
    old = masktrap(0L);
    if (old != 1) bad++;
    flick();
  }
}

/* The other nodes ask, and get larger numbers each time. */
ask(me, p) long me, p;
{
  long i, x, last = -1;
  for (i = 0; i < EACH; i++) {
    x = me * 3;
    csend(REQUEST, &x, sizeof x, 0, 0);
    crecv(ANSWER, &x, sizeof x);
    if (x <= last || x >= EACH * (p - 1)) bad++;
    last = x;
  }
}

/* Handlers of messages to oneself: of the sending and of the receiving side. */
to_oneself(me) long me;
{
  long i, x = -1;
  for (i = 0; i < 10; i++) ys[i] = me + i;
  masktrap(1);
  hrecvx(601, &x, sizeof x, me, 0, told, 10);
  hsendx(601, &me, sizeof me, me, 0, told, 1);
  hrecv(600, xs, sizeof xs, arrived);
  csend(600, ys, sizeof ys, me, 0);
  if (sent != 0) bad++;
  masktrap(0);
  while (sent != 1011) flick();
  if (x != me || xs[9] != me + 9) bad++;
}

main() {
  long me = mynode(), p = numnodes(), x, work;

  if (me == 0) hrecv(REQUEST, &request, sizeof request, serve);
  gsync();
  if (me == 0)
    compute(p);
  else
    ask(me, p);
  gsync();
  x = counter;
  gisum(&x, 1, &work);
  if (x != EACH * (p - 1)) bad++;
  to_oneself(me);

  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0) printf("handler: ok on %ld nodes, %ld requests\n", p, counter);
  exit(bad != 0);
}
