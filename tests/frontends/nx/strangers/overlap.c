/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Heat in a rod: each node starts the messages of its two edges, computes the inner points while
 * they travel, and waits before it computes the edges. The result has the same bits as that of one
 * node, which every node computes as well. */
#include <nx.h>
#include <stdio.h>
#include <string.h>

#define POINTS 40 /* of each node */
#define MOST 64   /* nodes */
#define STEPS 50
#define TO_LEFT 100
#define TO_RIGHT 101

double u[POINTS + 2], v[POINTS + 2], whole[MOST * POINTS + 2], next[MOST * POINTS + 2];

double start(i)
long i;
{ return (double)((i * i) % 17) / 3.0; }

step(from, to, first, last) double* from, *to;
long first, last;
{
  long i;
  for (i = first; i <= last; i++)
    to[i] = from[i] + 0.25 * (from[i - 1] - 2 * from[i] + from[i + 1]);
}

main() {
  long me, p, i, t, bad = 0, work;
  long from_left, from_right, sent_left, sent_right;

  me = mynode();
  p = numnodes();
  memset((char*)whole, 0, sizeof whole);
  memset((char*)next, 0, sizeof next);
  for (i = 1; i <= p * POINTS; i++) whole[i] = start(i);
  for (i = 0; i <= POINTS + 1; i++) u[i] = whole[me * POINTS + i];

  for (t = 0; t < STEPS; t++) {
    from_left = from_right = sent_left = sent_right = -1;
    if (me > 0) from_left = irecv(TO_RIGHT, &u[0], sizeof(double));
    if (me < p - 1) from_right = irecv(TO_LEFT, &u[POINTS + 1], sizeof(double));
    if (me > 0) sent_left = isend(TO_LEFT, &u[1], sizeof(double), me - 1, 0);
    if (me < p - 1) sent_right = isend(TO_RIGHT, &u[POINTS], sizeof(double), me + 1, 0);
    step(u, v, 2L, (long)POINTS - 1);
    if (me > 0) msgwait(from_left);
    if (me < p - 1) msgwait(from_right);
    step(u, v, 1L, 1L);
    step(u, v, (long)POINTS, (long)POINTS);
    if (me > 0) msgwait(sent_left);
    if (me < p - 1)
      while (!msgdone(sent_right)) flick();
    for (i = 1; i <= POINTS; i++) u[i] = v[i];

    step(whole, next, 1L, p * POINTS);
    for (i = 1; i <= p * POINTS; i++) whole[i] = next[i];
  }
  if (memcmp(&u[1], &whole[me * POINTS + 1], POINTS * sizeof(double))) bad = 1;
  gisum(&bad, 1L, &work);
  if (me == 0 && bad == 0) printf("overlap: ok on %ld nodes, the first point has %.6f\n", p, u[1]);
  exit((int)bad);
}
