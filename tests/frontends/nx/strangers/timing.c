/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The echo test of all papers on these machines: messages go between node 0 and each other node and
 * back, and the clocks say how long they took. Then the times of gdsum and gisum are measured. */
#include <nx.h>
#include <stdio.h>
#define TIMES 20

char buf[65536];
double x[1000], w[1000];

double echo(n, with)
long n, with;
{
  long i;
  double t0;
  t0 = dclock();
  for (i = 0; i < TIMES; i++)
    if (mynode() == 0) {
      csend(1, buf, n, with, 0);
      crecv(2, buf, n);
    } else if (mynode() == with) {
      crecv(1, buf, n);
      csend(2, buf, n, 0, 0);
    }
  return (dclock() - t0) / (2 * TIMES);
}

main() {
  long me = mynode(), p = numnodes(), n, i, bad = 0, work;
  unsigned long ms;
  double t, t1, worst = 0, dwork;

  ms = mclock();
  t1 = dclock();
  for (i = 0; i < sizeof buf; i++) buf[i] = i % 97;
  for (i = 1; i < p; i++)
    for (n = 0; n <= 65536; n = n ? 16 * n : 1) {
      gsync();
      t = echo(n, i);
      if (t < 0) bad++;
      if (t > worst) worst = t;
    }
  for (i = 0; i < sizeof buf; i++) bad += buf[i] != i % 97;

  gsync();
  t = dclock();
  for (i = 0; i < TIMES; i++) gdsum(x, 1000, w);
  t = (dclock() - t) / TIMES;
  if (!(t > 0)) bad++;
  gdhigh(&t, 1, &dwork);

  t1 = dclock() - t1;
  ms = mclock() - ms;
  /* The two clocks differ by the length of a millisecond, and by the time between two calls. */
  if (t1 <= 0 || ms + 1 < (unsigned long)(t1 * 1000) || dclock() < t1) bad++;
  gisum(&bad, 1, &work);
  if (me == 0 && bad == 0)
    printf("timing: ok on %ld nodes, gdsum of 1000 took %.1f us\n", p, t * 1e6);
  exit(bad != 0);
}
