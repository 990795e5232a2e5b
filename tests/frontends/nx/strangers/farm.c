/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A master, the last node, deals out strips of an integral to the workers 0 to numnodes() - 2; on
 * one node it does the work itself. The number of strips is an argument of the program, so the
 * switches of NX must have gone from argv. */
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#define WORK 1
#define RESULT 2
#define STOP 3

struct strip {
  long number;
  double sum;
};

double area(number, strips)
long number, strips;
{
  long i;
  double x, sum = 0;
  for (i = 0; i < 100; i++) {
    x = (number + (i + 0.5) / 100) / strips;
    sum += 4 / (1 + x * x) / (100.0 * strips);
  }
  return sum;
}

work(strips, master) long strips, master;
{
  struct strip s;
  s.number = -1;
  s.sum = 0;
  csend(RESULT, &s, sizeof s, master, mypid());
  for (;;) {
    cprobe(-1);
    if (infotype() == STOP) break;
    crecv(WORK, &s.number, sizeof s.number);
    s.sum = area(s.number, strips);
    csend(RESULT, &s, sizeof s, master, mypid());
  }
  crecv(STOP, 0, 0);
  if (infocount() != 0) exit(1);
}

main(argc, argv) int argc;
char** argv;
{
  long me, workers, strips, i, next, stopped, bad;
  double pi, *sums;
  struct strip s;

  me = mynode();
  workers = numnodes() - 1;
  if (argc != 2) {
    printf("farm: node %ld has %d arguments instead of 2, the last is %s\n", me, argc,
           argv[argc - 1]);
    exit(2);
  }
  strips = atol(argv[1]);
  if (me != workers) {
    work(strips, workers);
    exit(0);
  }
  sums = (double*)malloc(strips * sizeof(double));
  for (i = 0; i < strips; i++) sums[i] = workers == 0 ? area(i, strips) : -1;
  for (next = 0, stopped = 0; stopped < workers;) {
    crecv(RESULT, (char*)&s, sizeof s);
    if (s.number >= 0) sums[s.number] = s.sum;
    if (next < strips) {
      csend(WORK, &next, sizeof next, infonode(), infopid());
      next++;
    } else {
      csend(STOP, (char*)NULL, 0, infonode(), infopid());
      stopped++;
    }
  }
  for (bad = i = 0, pi = 0; i < strips; i++) {
    bad += sums[i] != area(i, strips);
    pi += sums[i];
  }
  if (pi - 3.14159265 > 1e-5 || pi - 3.14159265 < -1e-5) bad++;
  if (bad == 0) printf("farm: ok on %ld nodes, pi is %.6f\n", numnodes(), pi);
  exit(bad != 0);
}
