/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Implements the operations of the driver: which ranks hold data, and whether a result is right.
 */
#include <stdio.h>
#include <string.h>

#include "driver/driver.h"

const bench_operation bench_operations[bench_operation_count] = {
#define TUTTI_BENCH_OPERATION(name, input, input_extent, output, output_extent, content, ours, \
                              theirs)                                                          \
  {#name, input, input_extent, output, output_extent, content},
#include "driver/operations.def"
#undef TUTTI_BENCH_OPERATION
};

static int64_t elements(bench_holder holder, bench_extent extent, const bench_cell* cell, int p) {
  if (holder == nobody || extent == in_place) return 0;
  return extent == part_per_rank ? cell->n * p : cell->n;
}

int64_t bench_input_elements(const bench_cell* cell, int p) {
  const bench_operation* op = &bench_operations[cell->op];
  return elements(op->input, op->input_extent, cell, p);
}

int64_t bench_output_elements(const bench_cell* cell, int p) {
  const bench_operation* op = &bench_operations[cell->op];
  return elements(op->output, op->output_extent, cell, p);
}

/* Returns small whole numbers, so that sums are exact in any order. */
static double value(int rank, int64_t element) {
  return (double)((element % 101 * 7 + rank * 13) % 101 + 1);
}

void bench_fill(const bench_memory* memory, int64_t count) {
  for (int64_t e = 0; e < count; ++e) memory->pattern[e] = value(memory->me, e);
}

int bench_holds(bench_holder holder, int rank, int root) {
  return holder == everybody || (holder == at_root && rank == root);
}

int bench_has_input(const bench_cell* cell, const bench_memory* memory, int root) {
  return bench_holds(bench_operations[cell->op].input, memory->me, root);
}

static int has_output(const bench_cell* cell, const bench_memory* memory, int root) {
  const bench_operation* op = &bench_operations[cell->op];
  if (op->content == sum_below_me && memory->me == 0) return 0; /* the first rank gets nothing */
  return bench_holds(op->output, memory->me, root);
}

static double sum_of(int first, int last, int64_t element) {
  double sum = 0;
  for (int rank = first; rank <= last; ++rank) sum += value(rank, element);
  return sum;
}

static double expected(const bench_cell* cell, const bench_memory* memory, int root, int64_t e) {
  const bench_operation* op = &bench_operations[cell->op];
  const int64_t part = e / cell->n;
  const int64_t inside = e % cell->n;
  /* A rank with a part for every rank gives this rank the part at this rank's place. */
  const int64_t source = op->input_extent == part_per_rank ? memory->me * cell->n + inside : inside;
  switch (op->content) {
    case data_of_root:
      return value(root, source);
    case data_of_senders:
      return value((int)part, source);
    case sum_of_all:
      return sum_of(0, memory->p - 1, source);
    case sum_up_to_me:
      return sum_of(0, memory->me, source);
    default:
      return sum_of(0, memory->me - 1, source);
  }
}

void bench_take_input(const bench_cell* cell, bench_memory* memory, int root) {
  if (memory->of_root == NULL) return;
  memory->input = memory->me == root ? memory->of_root : memory->of_others;
  library_prepare(cell, memory);
}

static int verify_call(const bench_cell* cell, bench_memory* memory, int root) {
  bench_take_input(cell, memory, root);
  const bench_operation* op = &bench_operations[cell->op];
  const int64_t inputs = bench_input_elements(cell, memory->p);
  const int64_t outputs =
      op->output_extent == in_place ? inputs : bench_output_elements(cell, memory->p);
  double* result = op->output_extent == in_place ? memory->input : memory->output;
  for (int64_t e = 0; e < outputs; ++e) result[e] = -7;
  if (bench_has_input(cell, memory, root))
    memcpy(memory->input, memory->pattern, (size_t)inputs * sizeof(double));
  if (library_call(cell->op, root) != 0) return 0;
  if (op->content == nothing || !has_output(cell, memory, root)) return 1;
  for (int64_t e = 0; e < outputs; ++e) {
    if (result[e] != expected(cell, memory, root, e)) {
      fprintf(stderr,
              "tutti bench: %s of %lld doubles, root %d: rank %d has a wrong element %lld\n",
              op->name, (long long)cell->n, root, memory->me, (long long)e);
      return 0;
    }
  }
  return 1;
}

int bench_verify(const bench_cell* cell, bench_memory* memory) {
  const int first = verify_call(cell, memory, 0);
  return verify_call(cell, memory, 1 % memory->p) && first;
}
