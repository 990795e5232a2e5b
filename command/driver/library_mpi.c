/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Implements an MPI's side of the driver of `tutti bench`, and its program. The MPI's own
 * compiler command compiles this file.
 */
#include <mpi.h>

#include "driver/driver.h"

static void* input_data;
static void* output_data;
static int part;

/* The driver checks its arguments before MPI starts. */
int library_start(int* me, int* p) {
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, me);
  MPI_Comm_size(MPI_COMM_WORLD, p);
  return 0;
}

void library_finish(void) {
  MPI_Finalize();
}

void library_abort(void) {
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void library_prepare(const bench_cell* cell, const bench_memory* memory) {
  input_data = memory->input;
  output_data = memory->output;
  part = (int)cell->n;
}

void* library_shared_memory(size_t bytes) {
  (void)bytes;
  return NULL;
}

int library_call(int op, int root) {
  const MPI_Comm group = MPI_COMM_WORLD;
  void* const in = input_data;
  void* const out = output_data;
  const int n = part;
  switch (op) {
#define TUTTI_BENCH_OPERATION(name, input, input_extent, output, output_extent, content, ours, \
                              theirs)                                                          \
  case bench_op_##name:                                                                        \
    return theirs;
#include "driver/operations.def"
#undef TUTTI_BENCH_OPERATION
    default:
      return 1;
  }
}

void library_barrier(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}

double library_max(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

double library_sum(double mine) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  return bench_driver(argc, argv);
}
