/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NX and the BLACS 1.0 alternate in one program, as in the programs that timed the first BLACS
 * (LAPACK Working Note 73, appendices D.3 and D.4): gsync, csend and gdsum stand between broadcasts
 * and combines of the BLACS. Started by hand, the program has three processes by AUXSETUP.
 */
#include <nx.h>
#include <stdio.h>
#include <tutti-blacs94/tutti_blacs94.h>

#define MOST 700
#define REPS 3

static int me, p, one = 1, zero = 0;
static long bad;
static double x[MOST], work[MOST];
static int ra[MOST], ca[MOST];

#define CHECK(c) \
  if (!(c)) bad++, printf("node %d: wrong at line %d\n", me, __LINE__)

static void fill(int len, double base) {
  for (int j = 0; j < len; j++) x[j] = base + j;
}

static void holds(int len, double base, double factor) {
  for (int j = 0; j < len; j++) CHECK(x[j] == base + factor * j);
}

/* As D.3: the source broadcasts by csend and by the BLACS, and sends a number to node 0. */
static void broadcast(const char* top, int len, int src, int turn) {
  double number = 10 * turn + src;
  gsync();
  for (int j = 0; j < REPS; j++) {
    const long id = REPS * turn + j;
    fill(len, me == src ? (double)id : -1);
    if (me == src) {
      csend(id, x, len * (long)sizeof(double), -1, 0);
    } else {
      crecv(id, x, (long)sizeof x);
      CHECK(infonode() == src && infocount() == len * (long)sizeof(double));
    }
    holds(len, (double)id, 1);
  }
  gsync();
  for (int j = 0; j < REPS; j++) {
    fill(len, me == src ? turn + 0.5 * j : -1);
    if (me == src) {
      dgebs2d("a", top, &len, &one, x, &len);
    } else {
      dgebr2d("a", top, &len, &one, x, &len, &zero, &src);
    }
    holds(len, turn + 0.5 * j, 1);
  }
  if (me == src && src != 0) dgesd2d(&one, &one, &number, &one, &zero, &zero);
  if (me == 0 && src != 0) dgerv2d(&one, &one, &number, &one, &zero, &src);
  if (me == 0) CHECK(number == 10 * turn + src);
}

/* As D.4: sums and maxima by NX and by the BLACS, while a message of NX waits for its receiver. */
static void combine(const char* top, int len, int turn) {
  const int everyone = -1;
  const long next = (me + 1) % p, before = (me + p - 1) % p;
  long note = 100 * me + turn, heard = -1;
  const double sum = p * (p - 1) / 2.0;
  csend(turn, &note, sizeof note, next, 0);
  gsync();
  fill(len, me);
  gdsum(x, len, work);
  holds(len, sum, p);
  fill(len, me);
  dgsum2d("a", top, &len, &one, x, &len, &everyone, &one);
  holds(len, sum, p);
  fill(len, me);
  gdhigh(x, len, work);
  holds(len, p - 1, 1);
  fill(len, me);
  dgmax2d("a", top, &len, &one, x, &len, ra, ca, &len, &everyone, &one);
  holds(len, p - 1, 1);
  for (int j = 0; j < len; j++) CHECK(ra[j] == 0 && ca[j] == p - 1);
  crecv(-1, &heard, sizeof heard);
  CHECK(infotype() == turn && infonode() == before && heard == 100 * before + turn);
  CHECK(iprobe(-1) == 0);
}

int main(void) {
  static const char* const tops[] = {"h", "1-tree", "2", "f", "i", "d", "s"};
  static const int lengths[] = {0, 1, 100, MOST};
  int turn = 0, leave = 0;
  long work_of_sum;
  initpinfo(&me, &p);
  if (p < 1) p = 3;
  auxsetup(&me, &p);
  blacsinit(&one, &p);
  CHECK(mynode() == me && numnodes() == p);
  for (int t = 0; t < 7; t++) {
    for (int l = 0; l < 4; l++, turn++) {
      broadcast(tops[t], lengths[l], turn % p, turn);
      if (t < 4) combine(tops[t], lengths[l], turn);
    }
  }
  gisum(&bad, 1, &work_of_sum);
  if (me == 0) printf("NX and the BLACS 1.0 on %d nodes: %ld wrong\n", p, bad);
  blacsexit(&leave);
  return bad != 0;
}
