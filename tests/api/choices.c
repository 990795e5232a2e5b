// SPDX-License-Identifier: BSD-3-Clause
// Says which plan tutti chooses for an allreduce of so many bytes on this rank, and runs it. Usage:
// choices BYTES [task] With `task`, rank 0 starts two copies of it as tasks, which choose among
// themselves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

static void require(tutti_status status, const char* what) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "choices: %s: %s\n", what, tutti_error_text());
  exit(3);
}

static void sum(double* values, int64_t count) {
  const tutti_data data = tutti_array(values, count, TUTTI_DOUBLE);
  require(tutti_allreduce(tutti_world(), &data, &data, TUTTI_SUM), "sum");
}

static void start_tasks(const char* program, const char* bytes) {
  const char* const arguments[] = {bytes, NULL};
  int endpoints[2];
  require(tutti_spawn(program, arguments, 2, endpoints), "spawn");
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int64_t bytes = atoll(argv[1]);
  double* const values = calloc((size_t)bytes / sizeof(double) + 1, sizeof(double));
  require(tutti_init(), "init");
  const tutti_group world = tutti_world();
  tutti_plan_request request = {0};
  request.struct_size = sizeof request;
  request.operation = TUTTI_OP_ALLREDUCE;
  request.bytes = bytes;
  tutti_plan plan;
  require(tutti_plan_get(world, &request, &plan), "plan");
  printf("%s %d: %s\n", tutti_parent() < 0 ? "rank" : "task", tutti_rank(world),
         tutti_plan_algorithm(plan));
  fflush(stdout);
  // A loop that is unrolled would call from several places of the program.
  for (volatile int i = 0; i < 3; ++i) sum(values, bytes / (int64_t)sizeof(double));
  require(tutti_barrier(world), "barrier");
  if (argc > 2 && strcmp(argv[2], "task") == 0 && tutti_rank(world) == 0)
    start_tasks(argv[0], argv[1]);
  require(tutti_finalize(), "finalize");
  free(values);
  return 0;
}
