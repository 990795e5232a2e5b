/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Implements tutti's side of the driver with the public C interface, as any program uses it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "driver/plans.h"
#include "tutti/tutti.h"

static tutti_data input_data, output_data;
static tutti_group everyone;
static int taken = own_choice;

/* After a call that fails, the driver makes the next one, which may fail for the same reason. */
static int failed(tutti_status status) {
  static char last[512];
  char text[sizeof last];
  if (status == TUTTI_OK) return 0;
  snprintf(text, sizeof text, "%s", tutti_error_text());
  if (strcmp(text, last) != 0) fprintf(stderr, "tutti bench: %s\n", tutti_error_text());
  snprintf(last, sizeof last, "%s", text);
  return 1;
}

int library_start(int* me, int* p) {
  tutti_errors_push_return(); /* the driver prints errors itself */
  if (failed(tutti_init())) return 1;
  everyone = tutti_world();
  *me = tutti_rank(everyone);
  *p = tutti_size(everyone);
  return 0;
}

void library_finish(void) {
  (void)tutti_finalize();
}

void library_abort(void) {
  tutti_abort(1, "tutti bench cannot go on");
}

void library_prepare(const bench_cell* cell, const bench_memory* memory) {
  input_data = tutti_array(memory->input, bench_input_elements(cell, memory->p), TUTTI_DOUBLE);
  output_data = tutti_array(memory->output, bench_output_elements(cell, memory->p), TUTTI_DOUBLE);
}

int library_add_way(int op, const char* plan) {
  const int number = bench_plans_named(everyone, op, plan);
  return number == no_plans ? own_choice : number;
}

void library_take(int way) {
  taken = way;
}

int library_call(int op, int root) {
  if (taken != own_choice) return failed(bench_plans_run(taken, root, &input_data, &output_data));
  const tutti_group group = everyone;
  const tutti_data* const in = &input_data;
  const tutti_data* const out = &output_data;
  tutti_status status = TUTTI_INVALID_ARGUMENT;
  switch (op) {
#define TUTTI_BENCH_OPERATION(name, input, input_extent, output, output_extent, content, ours, \
                              theirs)                                                          \
  case bench_op_##name:                                                                        \
    status = ours;                                                                             \
    break;
#include "driver/operations.def"
#undef TUTTI_BENCH_OPERATION
    default:
      break;
  }
  return status == TUTTI_OK ? 0 : failed(status);
}

/* Aborts if a call fails that is part of no sample. Without its result, ranks would disagree on
 * the next step. */
static void demand(tutti_status status) {
  if (failed(status)) library_abort();
}

void library_barrier(void) {
  demand(tutti_barrier(everyone));
}

static double combined(double mine, tutti_op op) {
  double all = 0;
  const tutti_data in = tutti_array(&mine, 1, TUTTI_DOUBLE);
  const tutti_data out = tutti_array(&all, 1, TUTTI_DOUBLE);
  demand(tutti_allreduce(everyone, &in, &out, op));
  return all;
}

double library_max(double mine) {
  return combined(mine, TUTTI_MAX);
}

double library_sum(double mine) {
  return combined(mine, TUTTI_SUM);
}
