/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of the hypercubes: Gray codes, a sum over the dimensions by csendrecv and isendrecv,
 * ids that are merged, ignored and asked for, and the calls with an underscore, which say what went
 * wrong. */
#include <errno.h>
#include <nx.h>
#include <stdio.h>

long bad = 0;

sum_over_the_cube(me, p) long me, p;
{
  long bit, mine = me * me + 1, other, want = 0, i, id, got;
  if (p != 1 << nodedim()) return;
  for (bit = 1; bit < p; bit <<= 1) {
    other = -1;
    if (bit & 2) {
      id = isendrecv(bit, &mine, sizeof mine, me ^ bit, 0, bit, &other, sizeof other);
      msgwait(id);
      got = infocount();
    } else
      got = csendrecv(bit, &mine, sizeof mine, me ^ bit, 0, bit, &other, sizeof other);
    if (got != sizeof other) bad++;
    mine += other;
  }
  for (i = 0; i < p; i++) want += i * i + 1;
  if (mine != want) bad++;
}

/* All messages of a neighbour exchange under one id. */
merged(me, p) long me, p;
{
  long id = -1, i, in[64], out[64];
  for (i = 0; i < p; i++) in[i] = -1;
  for (i = 0; i < p; i++) id = msgmerge(id, irecv(1000 + i, &in[i], sizeof(long)));
  for (i = 0; i < p; i++) {
    out[i] = 100 * me + i;
    if (i % 2)
      msgignore(isend(1000 + me, &out[i], sizeof(long), i, 0));
    else
      id = msgmerge(isend(1000 + me, &out[i], sizeof(long), i, 0), id);
  }
  if (me % 2)
    msgwait(id);
  else
    while (msgdone(id) == 0) flick();
  for (i = 0; i < p; i++)
    if (in[i] != 100 * i + me) bad++;
}

mistakes(me, p) long me, p;
{
  long x = 5;
  errno = 0;
  if (_csend(1, &x, sizeof x, p + 17, 0) != -1 || errno == 0) bad++;
  errno = 0;
  if (_csend(-5, &x, sizeof x, me, 0) != -1 || errno == 0) bad++;
  if (_csend(1, &x, sizeof x, me, 0) != 0) bad++;
  if (_iprobe(2) != 0) bad++;
  if (_crecv(1, &x, sizeof x) != 0) bad++;
  errno = 0;
  if (_msgwait(123456) != -1 || errno == 0) bad++;
  if (_mynode() != me || _numnodes() != p) bad++;
}

main() {
  long me, p, i, work, rows = -1, cols = -1;

  setpid(0);
  me = mynode();
  p = numnodes();
  led(1);
  for (i = 0; i < 100; i++)
    if (ginv(gray(i)) != i || gray(i) != (i ^ i / 2)) bad++;
  if ((1 << nodedim()) > p || (2 << nodedim()) <= p) bad++;
  if (myptype() != 0 || myhost() == me) bad++;
  if (nx_app_rect(&rows, &cols) != 0 || rows * cols != p) bad++;
  sum_over_the_cube(me, p);
  gsync();
  merged(me, p);
  gsync();
  mistakes(me, p);
  led(0);
  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0)
    printf("cube: ok on %ld nodes, dimension %ld, %ld x %ld\n", p, nodedim(), rows, cols);
  exit(bad != 0);
}
