// SPDX-License-Identifier: BSD-3-Clause
// Solves a system of equations by conjugate gradients with iCC. The nodes form a mesh, and each has
// a block of the matrix. A product with the matrix adds within rows of nodes and collects within
// columns of nodes, as matrix programs of the Paragon did.
#include <icc.h>
#include <stdio.h>
#include <stdlib.h>

enum { side = 16, n = side * side, most_nodes = 256, most_steps = 200 };

// The matrix of a square grid of points, of which each is joined to its four neighbours.
static double entry(int i, int j) {
  if (i == j) return 4;
  const int low = i < j ? i : j, high = i < j ? j : i;
  const int in_row = high - low == 1 && high % side != 0;
  return in_row || high - low == side ? -1 : 0;
}

// Functions of groups return a code. A node that went on after a failure would leave the others
// waiting, or combine what it has not got; the job ends with this node.
static void check(long code, const char* call) {
  if (code == iCC_g_OK) return;
  const char* const why = code == iCC_g_ERROR_MALLOC ? " (out of memory)" : "";
  fprintf(stderr, "%s: code %ld%s\n", call, code, why);
  exit(1);
}
#define CHECK(call) check(call, #call)

// One row or one column of the mesh: its communicator, and how many elements each node has.
typedef struct {
  iCC_g_Comm comm;
  long counts[most_nodes];
  int first, end;  // the elements of this node
} Line;

// Makes the line of `count` nodes that are `stride` apart.
static Line line_of(iCC_g_Group all, long first, long count, long stride) {
  Line line = {.first = 0};
  long nodes[most_nodes];
  iCC_g_Group members;
  for (long r = 0; r < count; ++r) {
    nodes[r] = first + r * stride;
    line.counts[r] = (r + 1) * n / count - r * n / count;
  }
  CHECK(iCC_g_Group_incl(all, count, nodes, &members));
  CHECK(iCC_g_Comm_create(iCC_g_COMM_WORLD, members, &line.comm));
  CHECK(iCC_g_Group_free(&members));
  for (long r = 0; r < line.comm->source; ++r) line.first += (int)line.counts[r];
  line.end = line.first + (int)line.counts[line.comm->source];
  return line;
}

// Computes y = A x. Nodes of a row have the same rows of the matrix and add their parts of y. Nodes
// of a column have different parts of y and collect them.
static void multiply(const Line* row, const Line* column, const double* x, double* y) {
  static double part[n], sum[n];
  const long count = column->end - column->first;
  for (int i = column->first; i < column->end; ++i) {
    part[i - column->first] = 0;
    for (int j = row->first; j < row->end; ++j) part[i - column->first] += entry(i, j) * x[j];
  }
  CHECK(iCC_g_Allreduce(part, sum, count, iCC_g_double_dtype, iCC_g_DSUM, row->comm));
  CHECK(iCC_g_Allgatherv(sum, count, iCC_g_double_dtype, y, (long*)column->counts, NULL,
                         iCC_g_double_dtype, column->comm));
}

// Each node of a row multiplies its elements.
static double inner_product(const Line* row, const double* x, const double* y) {
  double part = 0, sum;
  for (int j = row->first; j < row->end; ++j) part += x[j] * y[j];
  CHECK(iCC_g_Allreduce(&part, &sum, 1, iCC_g_double_dtype, iCC_g_DSUM, row->comm));
  return sum;
}

// Solves A x = b from x = 0. Returns the number of steps.
static int solve(const Line* row, const Line* column, const double* b, double* x) {
  static double r[n], p[n], q[n];
  for (int i = 0; i < n; ++i) {
    x[i] = 0;
    r[i] = p[i] = b[i];
  }
  double rr = inner_product(row, r, r);
  int step = 0;
  while (step < most_steps && rr > 1e-20) {
    multiply(row, column, p, q);
    const double alpha = rr / inner_product(row, p, q), before = rr;
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    rr = inner_product(row, r, r);
    for (int i = 0; i < n; ++i) p[i] = r[i] + rr / before * p[i];
    ++step;
  }
  return step;
}

int main(void) {
  static double ones[n], b[n], x[n];
  long nodes = 1, work;
  iCC_g_Group all;
  iCC_initialize();
  CHECK(iCC_g_Group_init());
  iCC_gisum(&nodes, 1, &work);
  if (nodes > most_nodes) return 1;
  // The mesh has as many rows as it can have without more rows than columns.
  long rows = 1;
  for (long r = 2; r * r <= nodes; ++r)
    if (nodes % r == 0) rows = r;
  const long columns = nodes / rows, me = iCC_g_COMM_WORLD->source;
  CHECK(iCC_g_Comm_group(iCC_g_COMM_WORLD, &all));
  const Line row = line_of(all, me - me % columns, columns, 1);
  const Line column = line_of(all, me % columns, rows, columns);

  for (int i = 0; i < n; ++i) ones[i] = 1;
  multiply(&row, &column, ones, b);
  const int steps = solve(&row, &column, b, x);
  double error = 0, scratch;
  for (int i = 0; i < n; ++i) {
    const double off = x[i] < 1 ? 1 - x[i] : x[i] - 1;
    if (off > error) error = off;
  }
  iCC_gdhigh(&error, 1, &scratch);
  if (me == 0)
    printf("%ld x %ld nodes: %s\n", rows, columns,
           steps < most_steps && error < 1e-8 ? "solved" : "not solved");
  return 0;
}
