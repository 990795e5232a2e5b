/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests the BLACS in a program of one MPI: communicators as system handles in C and Fortran, the
 * communicators of contexts, messages of the program in flight meanwhile, and the end of MPI by
 * blacs_exit. Usage: under an MPI launcher, with an even number of processes: communicators [grids]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <tutti-blacs/tutti_blacs.h>

void blacs_get_(const int* context, const int* what, int* value);
void blacs_gridinit_(int* context, const char* order, const int* nprow, const int* npcol);
int sys2blacs_handle_(const int* communicator);

static int me, p, wrong;

static void expect(int good, const char* what) {
  if (good) return;
  ++wrong;
  fprintf(stderr, "FAILED on process %d: %s\n", me, what);
}

/* Expects a communicator of the same processes in the same order, but not the same one. */
static void expect_like(MPI_Comm found, MPI_Comm wanted, const char* what) {
  int relation = MPI_UNEQUAL;
  if (found != MPI_COMM_NULL) MPI_Comm_compare(found, wanted, &relation);
  expect(relation == MPI_CONGRUENT, what);
}

static void expect_communicator(int context, int number, MPI_Comm wanted, const char* what) {
  int handle = -1;
  Cblacs_get(context, number, &handle);
  expect_like(Cblacs2sys_handle(handle), wanted, what);
}

/* Returns the sum of the processes' numbers over a grid of one row, and frees the context. */
static int row_sum(int context, int number) {
  int rows, columns, my_row, my_column;
  Cblacs_gridinfo(context, &rows, &columns, &my_row, &my_column);
  expect(rows == 1 && my_row == 0, "the grid is one row");
  Cigsum2d(context, "All", " ", 1, 1, &number, 1, -1, -1);
  Cblacs_gridexit(context);
  return number;
}

static void many_grids(int count) {
  for (int i = 0; i < count; ++i) {
    int context = Csys2blacs_handle(MPI_COMM_WORLD);
    Cblacs_gridinit(&context, "Row", 1, p);
    if (i % 1000 == 0) {
      expect(row_sum(context, me) == p * (p - 1) / 2, "sum over the world");
    } else {
      Cblacs_gridexit(context);
    }
  }
}

static int half_sum(void) {
  int sum = 0;
  for (int rank = me % 2; rank < p; rank += 2) sum += rank;
  return sum;
}

/* Tests communicators of the odd and of the even processes, in reverse order. */
static void halves(void) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
  int size, rank;
  MPI_Comm_size(half, &size);
  MPI_Comm_rank(half, &rank);
  int handle = Csys2blacs_handle(half);
  expect(Csys2blacs_handle(half) == handle, "one handle per communicator");
  expect(Cblacs2sys_handle(handle) == half, "the handle's communicator");
  int context = handle, rows, columns, my_row, my_column;
  Cblacs_gridinit(&context, "Row", 1, size);
  Cblacs_gridinfo(context, &rows, &columns, &my_row, &my_column);
  expect(my_column == rank, "places in the order of the communicator");
  expect_communicator(context, 10, half, "a half");
  expect(row_sum(context, me) == half_sum(), "sum over a half");

  const int one = 1, fortran = MPI_Comm_c2f(half);
  context = sys2blacs_handle_(&fortran);
  blacs_gridinit_(&context, "R", &one, &size);
  Cfree_blacs_system_handle(handle);
  MPI_Comm copy;
  MPI_Comm_dup(half, &copy);
  MPI_Comm_free(&half);
  int number = 0;
  const int what = 10;
  blacs_get_(&context, &what, &number);
  expect_like(MPI_Comm_f2c(number), copy, "a half in Fortran, whose own communicator is freed");
  expect(row_sum(context, me) == half_sum(), "sum over a half from Fortran");
  MPI_Comm_free(&copy);
}

/* Tests a grid by columns, also its rows and columns, and a grid of some of the processes. */
static void contexts(void) {
  int context, rows, columns, my_row, my_column;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Column", 2, p / 2);
  Cblacs_gridinfo(context, &rows, &columns, &my_row, &my_column);
  MPI_Comm grid, row, column;
  MPI_Comm_split(MPI_COMM_WORLD, 0, my_row * columns + my_column, &grid);
  MPI_Comm_split(MPI_COMM_WORLD, my_row, my_column, &row);
  MPI_Comm_split(MPI_COMM_WORLD, my_column, my_row, &column);
  expect_communicator(context, 10, grid, "a grid by columns");
  expect_communicator(context, 17, row, "a row");
  expect_communicator(context, 18, column, "a column");
  int zero = 4711;
  Cblacs_get(context, 19, &zero);
  expect(zero == 0, "WHAT 19");
  Cblacs_gridexit(context);

  int some;
  Cblacs_get(-1, 0, &some);
  Cblacs_gridinit(&some, "Row", 1, p - 1);
  MPI_Comm without_last;
  MPI_Comm_split(MPI_COMM_WORLD, me == p - 1, me, &without_last);
  expect((some >= 0) == (me < p - 1), "a grid of some processes");
  if (some >= 0) expect_communicator(some, 10, without_last, "a grid of some processes");
  if (some >= 0) Cblacs_gridexit(some);
  MPI_Comm_free(&without_last);
  MPI_Comm_free(&grid), MPI_Comm_free(&row), MPI_Comm_free(&column);
}

/* Tests that a communicator is made late for a list that has had many grids. */
static void late_communicator(void) {
  int context = Csys2blacs_handle(MPI_COMM_WORLD);
  Cblacs_gridinit(&context, "Row", 1, p);
  expect_communicator(context, 10, MPI_COMM_WORLD, "the latest of many grids");
  expect_communicator(context, 10, MPI_COMM_WORLD, "the latest of many grids, again");
  Cblacs_gridexit(context);
}

static void fortran_world(void) {
  const int nobody = -1, what = 0, one = 1;
  int context = 4711;
  blacs_get_(&nobody, &what, &context);
  expect(context == MPI_Comm_c2f(MPI_COMM_WORLD), "Fortran's handle of the world");
  blacs_gridinit_(&context, "R", &one, &p);
  expect(row_sum(context, 1) == p, "sum over the world from Fortran");
  expect(Cblacs2sys_handle(0) == MPI_COMM_WORLD, "C's handle of the world");
}

/* Tests that a message of the program, which needs its receiver, is in flight during a wait in
 * the BLACS. */
static void message_under_way(void) {
  enum { many = 1 << 20 };
  double* out = calloc(many, sizeof(double));
  double* in = calloc(many, sizeof(double));
  MPI_Request request;
  out[many - 1] = me;
  MPI_Isend(out, many, MPI_DOUBLE, (me + 1) % p, 3, MPI_COMM_WORLD, &request);
  int context;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, p);
  const int from = (me + p - 1) % p;
  if (me % 2 == 0) MPI_Recv(in, many, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Cblacs_barrier(context, "All");
  if (me % 2 != 0) MPI_Recv(in, many, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect(in[many - 1] == from, "the program's own message");
  Cblacs_gridexit(context);
  free(out), free(in);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Cblacs_pinfo(&me, &p);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  expect(rank == me, "BLACS' number is MPI's rank");
  many_grids(argc > 1 ? atoi(argv[1]) : 10000);
  late_communicator();
  halves();
  contexts();
  fortran_world();
  message_under_way();
  int all_wrong = 0, ended = 0;
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  Cblacs_exit(0);
  MPI_Finalized(&ended);
  expect(ended, "blacs_exit ends MPI");
  if (me == 0) printf("%d wrong\n", all_wrong + wrong);
  return wrong != 0;
}
