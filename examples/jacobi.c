// SPDX-License-Identifier: BSD-3-Clause
// Solves Laplace's equation on a square by Jacobi's method with NX. Each node has some rows of the
// square. In each step the nodes exchange the rows at their edges, compute what needs none of them
// while these messages travel, and find the largest change of all nodes.
#include <nx.h>
#include <stdio.h>
#include <string.h>

enum { side = 24, up = 1, down = 2, most_steps = 10000 };
typedef double Row[side + 2];

static Row u[side + 2], new[side + 2];  // of which a node uses its rows and one more at each end
static long first, end;                 // its rows, numbered from 1

// The solution is known: it is linear, and its values at the edges of the square are given.
static double solution(long i, long j) {
  return (double)(i + 2 * j) / side;
}

static void start(void) {
  for (long i = 0; i <= side + 1; ++i) {
    for (long j = 0; j <= side + 1; ++j) {
      const int at_edge = i == 0 || j == 0 || i == side + 1 || j == side + 1;
      u[i][j] = at_edge ? solution(i, j) : 0;
    }
  }
  memcpy(new, u, sizeof u);
}

// Computes the new values of a row. Returns the largest change, or `most` if that is larger.
static double update(long i, double most) {
  for (long j = 1; j <= side; ++j) {
    new[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4;
    const double change = new[i][j] > u[i][j] ? new[i][j] - u[i][j] : u[i][j] - new[i][j];
    if (change > most) most = change;
  }
  return most;
}

// Returns the largest change on all nodes.
static double step(long above, long below) {
  long from_above = -1, from_below = -1;
  double most = 0, work;
  if (above >= 0) from_above = irecv(down, u[first - 1], sizeof(Row));
  if (below >= 0) from_below = irecv(up, u[end], sizeof(Row));
  if (above >= 0) csend(up, u[first], sizeof(Row), above, mypid());
  if (below >= 0) csend(down, u[end - 1], sizeof(Row), below, mypid());
  for (long i = first + 1; i < end - 1; ++i) most = update(i, most);
  if (above >= 0) msgwait(from_above);
  if (below >= 0) msgwait(from_below);
  most = update(first, most);
  if (end - 1 > first) most = update(end - 1, most);
  memcpy(u[first], new[first], (size_t)(end - first) * sizeof(Row));
  gdhigh(&most, 1, &work);
  return most;
}

int main(void) {
  const long me = mynode(), nodes = numnodes();
  if (nodes > side) {
    if (me == 0) printf("there are more nodes than rows\n");
    return 1;
  }
  first = 1 + me * side / nodes;
  end = 1 + (me + 1) * side / nodes;
  start();
  long steps = 0;
  while (step(me > 0 ? me - 1 : -1, me < nodes - 1 ? me + 1 : -1) > 1e-12 && steps < most_steps)
    ++steps;
  double error = 0, work;
  for (long i = first; i < end; ++i) {
    for (long j = 1; j <= side; ++j) {
      const double off = u[i][j] - solution(i, j);
      if (off > error || -off > error) error = off > 0 ? off : -off;
    }
  }
  gdhigh(&error, 1, &work);
  if (me == 0)
    printf("%ld nodes: %ld steps, %s\n", nodes, steps, error < 1e-8 ? "solved" : "not solved");
  return error < 1e-8 ? 0 : 1;
}
