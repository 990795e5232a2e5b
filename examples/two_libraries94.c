// SPDX-License-Identifier: BSD-3-Clause
// Calls NX and the BLACS 1.0 in turn, as the programs did that timed the first BLACS on Intel's
// machines (LAPACK Working Note 73, appendices D.3 and D.4). A broadcast is a csend to all others,
// or one of the BLACS. A sum is gdsum, or one of the BLACS. All nodes call gsync before each, and
// the BLACS find the largest and the mean time. Every result is checked.
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti-blacs94/tutti_blacs94.h>

enum { most = 100000, repetitions = 20 };

static int me, processes, wrong;
static const int one = 1, zero = 0, everyone = -1;
static double x[most], work[most];

static void broadcast_by_nx(int length) {
  static long id = 1;
  if (me == 0) {
    csend(id, x, length * (long)sizeof *x, -1, 0);
  } else {
    crecv(id, x, sizeof x);
  }
  ++id;
}
static void broadcast_by_blacs(int length) {
  if (me == 0) {
    dgebs2d("All", "Hypercube", &length, &one, x, &length);
  } else {
    dgebr2d("All", "Hypercube", &length, &one, x, &length, &zero, &zero);
  }
}
static void sum_by_nx(int length) {
  gdsum(x, length, work);
}
static void sum_by_blacs(int length) {
  dgsum2d("All", "1-tree", &length, &one, x, &length, &everyone, &zero);
}

// Prints the time of a call in milliseconds. It leaves `factor` times what node 0 had, everywhere.
static void measure(const char* name, int length, void (*call)(int), double factor) {
  double seconds = 0, mean, start;
  int row, column;
  for (int turn = 0; turn < repetitions; ++turn) {
    for (int i = 0; i < length; ++i) x[i] = factor != 1 || me == 0 ? turn + i : -1;
    gsync();
    start = dclock();
    call(length);
    seconds += dclock() - start;
    for (int i = 0; i < length; ++i) wrong += x[i] != factor * (turn + i);
  }
  mean = seconds /= repetitions / 1e3;
  dgmax2d("All", "1-tree", &one, &one, &seconds, &one, &row, &column, &one, &zero, &zero);
  dgsum2d("All", "1-tree", &one, &one, &mean, &one, &zero, &zero);
  if (me == 0) printf("%-18s %9d %10.4f %10.4f\n", name, length, seconds, mean / processes);
}

int main(void) {
  const int lengths[] = {1, 1000, most}, leave = 0;
  initpinfo(&me, &processes);
  if (processes < 1) processes = 4;
  auxsetup(&me, &processes);
  blacsinit(&one, &processes);
  if (me == 0) printf("%-18s %9s %10s %10s\n", "", "ELEMENTS", "MAX TIME", "AVG TIME");
  for (int i = 0; i < 3; ++i) {
    measure("broadcast by NX", lengths[i], broadcast_by_nx, 1);
    measure("broadcast by BLACS", lengths[i], broadcast_by_blacs, 1);
    measure("sum by NX", lengths[i], sum_by_nx, processes);
    measure("sum by BLACS", lengths[i], sum_by_blacs, processes);
  }
  igsum2d("All", "1-tree", &one, &one, &wrong, &one, &everyone, &zero);
  if (me == 0) printf("%d nodes, two libraries: %d wrong elements\n", processes, wrong);
  blacsexit(&leave);
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
