/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Implements the side of the bench's driver for libraries that stand on tutti, each a way to do an
 * operation: tutti.h itself (tutti), NX (nx), iCC (icc), and the BLACS with two topologies, a tree
 * with one branch (blacs-1) and a hypercube (blacs-H). The calls are those of table 1 of paper 001.
 *
 * Arguments in front of the driver's: All|Row|Column ROWS COLUMNS. The processes form a grid. If
 * the scope is Row or Column, only the first row or column communicates; the others wait.
 */
#include <icc.h>
#include <nx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti-blacs/tutti_blacs.h>

#include "driver/driver.h"

enum { most_ranks = 256, broadcast_type = 1 };
enum { way_tutti, way_nx, way_icc, way_blacs_1, way_blacs_h, ways };
static const char* const names[ways] = {"tutti", "nx", "icc", "blacs-1", "blacs-H"};

static struct {
  char* name; /* of the BLACS */
  int rows, columns;
  tutti_group members;
  iCC_g_Comm comm;
  int context;
  int count;
  long nodes[most_ranks]; /* the members' nodes of NX */
} scope;
static double *input, *output, *work;
static int64_t n;
static int taken = way_tutti;

static int is_world(void) {
  return scope.count == scope.rows * scope.columns;
}

/* ---- one operation in each way ---- */

static int call_tutti(int op, int root) {
  static int64_t counts[most_ranks];
  const tutti_data in = tutti_array(input, n, TUTTI_DOUBLE),
                   out = tutti_array(output, n, TUTTI_DOUBLE),
                   all = tutti_array(output, n * scope.count, TUTTI_DOUBLE);
  for (int i = 0; i < scope.count && op == bench_op_allgather; ++i) counts[i] = n;
  switch (op) {
    case bench_op_barrier:
      return tutti_barrier(scope.members);
    case bench_op_bcast:
      return tutti_bcast(scope.members, &in, root);
    case bench_op_allreduce:
      return tutti_allreduce(scope.members, &out, &out, TUTTI_SUM);
    default:
      return tutti_allgatherv(scope.members, &in, &all, counts);
  }
}

static int broadcast_nx(int root) {
  const long bytes = (long)n * 8;
  const long type = broadcast_type + root;
  if (scope.nodes[root] != mynode())
    crecv(type, input, bytes);
  else if (is_world())
    csend(type, input, bytes, -1, 0);
  else if (scope.count > 1) {
    static long others[most_ranks];
    for (int i = 0; i < scope.count - 1; ++i) others[i] = scope.nodes[i + (i >= root)];
    gsendx(type, input, bytes, others, scope.count - 1);
  }
  return 0;
}

static int call_nx(int op, int root) {
  static long lengths[most_ranks];
  switch (op) {
    case bench_op_barrier:
      gsync();
      return 0;
    case bench_op_bcast:
      return broadcast_nx(root);
    case bench_op_allreduce:
      gdsum(output, n, work);
      return 0;
    default:
      for (int i = 0; i < scope.count; ++i) lengths[i] = (long)n * 8;
      gcolx(input, lengths, output);
      return 0;
  }
}

static int call_icc(int op, int root) {
  if (op == bench_op_bcast && is_world())
    iCC_bcast(input, (long)n * 8, root);
  else if (op == bench_op_bcast)
    return (int)iCC_g_Bcast(input, n, iCC_g_double_dtype, root, scope.comm);
  else if (is_world())
    iCC_gdsum(output, n, work);
  else
    return (int)iCC_g_Allreduce(input, output, n, iCC_g_double_dtype, iCC_g_DSUM, scope.comm);
  return 0;
}

static int call_blacs(int op, int root, char* top) {
  const int m = (int)n;
  int row, column, rows, columns;
  Cblacs_gridinfo(scope.context, &rows, &columns, &row, &column);
  const int root_node = (int)scope.nodes[root];
  if (op == bench_op_allreduce)
    Cdgsum2d(scope.context, scope.name, top, m, 1, output, m, -1, -1);
  else if (scope.nodes[root] == row * columns + column)
    Cdgebs2d(scope.context, scope.name, top, m, 1, input, m);
  else
    Cdgebr2d(scope.context, scope.name, top, m, 1, input, m, root_node / columns,
             root_node % columns);
  return 0;
}

/* NX, iCC and the BLACS add into one array. While the driver verifies, it is the input's copy.
 * Otherwise it has the sum of the call before: its content does not change the time. */
int library_call(int op, int root) {
  if (op == bench_op_allreduce && bench_watches_method())
    memcpy(output, input, (size_t)n * sizeof(double));
  switch (taken) {
    case way_nx:
      return call_nx(op, root);
    case way_icc:
      return call_icc(op, root);
    case way_blacs_1:
      return call_blacs(op, root, "1");
    case way_blacs_h:
      return call_blacs(op, root, "H");
    default:
      return call_tutti(op, root);
  }
}

int library_add_way(int op, const char* name) {
  for (int way = 0; way < ways; ++way) {
    const int combines = op == bench_op_bcast || op == bench_op_allreduce;
    const int part_of_nx = is_world() ? op != bench_op_reduce : op == bench_op_bcast;
    const int has = way == way_tutti || (way == way_nx ? part_of_nx : combines);
    if (strcmp(name, names[way]) == 0 && has) return way;
  }
  fprintf(stderr, "bench_nx: %s has no such operation in this scope\n", name);
  return own_choice;
}

void library_take(int way) {
  taken = way == own_choice ? way_tutti : way;
}

/* ---- what the driver needs besides ---- */

int library_start(int* me, int* p) {
  *me = tutti_rank(scope.members);
  *p = scope.count;
  return 0;
}

void library_finish(void) {
  gsync();
}

void library_abort(void) {
  tutti_abort(1, "bench_nx cannot go on");
}

void library_prepare(const bench_cell* cell, const bench_memory* memory) {
  static int64_t most = 0;
  input = memory->input;
  output = memory->output;
  n = cell->n;
  if (n <= most) return;
  most = n;
  free(work);
  work = malloc((size_t)n * sizeof(double));
  if (work == NULL) library_abort();
}

void library_barrier(void) {
  if (tutti_barrier(scope.members) != TUTTI_OK) library_abort();
}

static double combined(double mine, tutti_op op) {
  const tutti_data data = tutti_array(&mine, 1, TUTTI_DOUBLE);
  if (tutti_allreduce(scope.members, &data, &data, op) != TUTTI_OK) library_abort();
  return mine;
}

double library_max(double mine) {
  return combined(mine, TUTTI_MAX);
}

double library_sum(double mine) {
  return combined(mine, TUTTI_SUM);
}

/* ---- start ---- */

static int set_members(void) {
  const int me = (int)mynode();
  tutti_group row, column;
  const tutti_group world = tutti_world();
  if (tutti_size(world) != scope.rows * scope.columns || tutti_size(world) > most_ranks) return 0;
  if (tutti_group_mesh(world, scope.rows, scope.columns, &row, &column) != TUTTI_OK) return 0;
  const int is_row = scope.name[0] == 'R', is_column = scope.name[0] == 'C';
  scope.members = is_row ? row : is_column ? column : world;
  scope.count = tutti_size(scope.members);
  for (int i = 0; i < scope.count; ++i) scope.nodes[i] = is_column ? i * scope.columns : i;
  return is_row ? me < scope.columns : is_column ? me % scope.columns == 0 : 1;
}

static void make_communicators(void) {
  iCC_g_Group all, some;
  iCC_g_Group_init();
  iCC_g_Comm_group(iCC_g_COMM_WORLD, &all);
  iCC_g_Group_incl(all, scope.count, scope.nodes, &some);
  iCC_g_Comm_create(iCC_g_COMM_WORLD, some, &scope.comm);
  Cblacs_get(0, 0, &scope.context);
  Cblacs_gridinit(&scope.context, "Row", scope.rows, scope.columns);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  scope.name = argv[1];
  scope.rows = atoi(argv[2]);
  scope.columns = atoi(argv[3]);
  iCC_initialize();
  const int member = set_members();
  if (scope.count == 0) return 2;
  make_communicators();
  if (member) return bench_driver(argc - 3, argv + 3);
  gsync();
  return 0;
}
