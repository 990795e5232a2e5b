/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests what a program can ask: names of types and operators, members of a group, the request and
 * the schedule of a plan, whether tutti_init would join a job; and that messages name types. The
 * argument is a file that rank 0 writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti_runtime.h>

#include "rank_check.h"

static void names(void) {
  for (int type = TUTTI_BYTE; type <= TUTTI_BFLOAT16; type++) {
    const char* const name = tutti_type_name((tutti_type)type);
    CHECK(name != NULL && tutti_type_named(name) == type);
  }
  CHECK(tutti_type_named("float64") == TUTTI_DOUBLE && tutti_type_named("bool") == TUTTI_BOOL);
  CHECK(tutti_type_named("double") == -1 && tutti_type_named(NULL) == -1);
  CHECK(tutti_type_name((tutti_type)(TUTTI_BFLOAT16 + 1)) == NULL);
  CHECK(tutti_type_bytes(TUTTI_COMPLEX_DOUBLE) == 16 && tutti_type_bytes(TUTTI_FLOAT16) == 2);
  CHECK(tutti_type_bytes((tutti_type)-1) == 0);
  CHECK(tutti_op_named("sum").id == TUTTI_SUM.id);
  CHECK(tutti_op_named("bit_xor").id == TUTTI_BIT_XOR.id && tutti_op_named("plus").id == 0);
  for (uint64_t id = TUTTI_SUM.id; id <= TUTTI_BIT_XOR.id; id++)
    CHECK(tutti_op_named(tutti_op_name((tutti_op){id})).id == id);
  CHECK(tutti_op_name((tutti_op){0}) == NULL && tutti_op_name((tutti_op){13}) == NULL);
}

static void members(void) {
  int* const ranks = malloc(sizeof *ranks * (size_t)size);
  tutti_group half;
  CHECK(tutti_group_split(world, rank % 2, -rank, &half) == TUTTI_OK);
  CHECK(tutti_group_members(half, world, ranks) == TUTTI_OK);
  const int among = tutti_size(half), last = size - 1 - (size - 1 - rank) % 2;
  for (int i = 0; i < among; i++) CHECK(ranks[i] == last - 2 * i);
  CHECK(tutti_group_members(world, half, ranks) == TUTTI_OK);
  for (int i = 0; i < size; i++) CHECK(ranks[i] == (i % 2 == rank % 2 ? (last - i) / 2 : -1));
  CHECK(tutti_group_members(world, half, NULL) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_group_free(half) == TUTTI_OK);
  CHECK(tutti_group_members(half, world, ranks) == TUTTI_STALE_HANDLE);
  free(ranks);
}

static void described(void) {
  const tutti_plan_request tree = {.struct_size = sizeof tree,
                                   .operation = TUTTI_OP_BROADCAST,
                                   .algorithm = "tree",
                                   .root = size - 1,
                                   .branches = 2};
  tutti_plan_request asked = {.struct_size = sizeof asked};
  tutti_plan plan;
  CHECK(tutti_plan_get(world, &tree, &plan) == TUTTI_OK);
  CHECK(tutti_plan_describe(plan, &asked) == TUTTI_OK);
  CHECK(asked.operation == TUTTI_OP_BROADCAST && strcmp(asked.algorithm, "tree") == 0);
  CHECK(asked.root == size - 1 && asked.branches == 2 && asked.struct_size == sizeof asked);
  tutti_plan again;
  CHECK(tutti_plan_get(world, &asked, &again) == TUTTI_OK && again.id == plan.id);
  asked.struct_size = 8;
  CHECK(tutti_plan_describe(plan, &asked) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_plan_describe((tutti_plan){99}, &asked) == TUTTI_INVALID_ARGUMENT);
}

/* The schedule of a plan is a file that every rank can run. */
static void schedules(const char* path) {
  const tutti_plan_request ring = {
      .struct_size = sizeof ring, .operation = TUTTI_OP_ALLREDUCE, .algorithm = "ring"};
  tutti_plan_request from_file = ring;
  char name[600], start[40];
  tutti_plan plan, copy;
  CHECK(tutti_plan_get(world, &ring, &plan) == TUTTI_OK);
  const size_t length = tutti_plan_json(plan, NULL, 0);
  char* const text = malloc(length + 1);
  CHECK(tutti_plan_json(plan, text, length + 1) == length && strlen(text) == length);
  snprintf(start, sizeof start, "\"operation\":\"allreduce\",\"p\":%d,", size);
  CHECK(strncmp(text, "{\"tutti_program\":1,\"name\":\"ring\"", 32) == 0);
  CHECK(strstr(text, start) != NULL);
  if (rank == 0) {
    FILE* const file = fopen(path, "w");
    CHECK(file != NULL && fwrite(text, 1, length, file) == length && fclose(file) == 0);
  }
  free(text);
  CHECK(tutti_barrier(world) == TUTTI_OK);
  snprintf(name, sizeof name, "file:%s", path);
  from_file.algorithm = name;
  CHECK(tutti_plan_get(world, &from_file, &copy) == TUTTI_OK);
  char one[4000], other[4000];
  CHECK(tutti_plan_text(plan, one, sizeof one) == tutti_plan_text(copy, other, sizeof other));
  CHECK(strcmp(one, other) == 0);
}

static void texts(void) {
  double x[2] = {0};
  const tutti_data doubles = tutti_array(x, 1, TUTTI_DOUBLE),
                   halves = tutti_array(x, 1, TUTTI_INT16);
  CHECK(tutti_allreduce(world, &doubles, &halves, TUTTI_SUM) == TUTTI_INVALID_ARGUMENT);
  CHECK(strstr(tutti_error_text(), "input has elements of type float64 but output of type int16"));
  tutti_data part = {x, TUTTI_DOUBLE, TUTTI_TRAPEZOID, 1, 1, 1, 'X', 'N'};
  CHECK(tutti_bcast(world, &part, 0) == TUTTI_INVALID_ARGUMENT);
  CHECK(strstr(tutti_error_text(), "argument 'data' has uplo 'X', which is neither 'U' nor 'L'"));
  part.uplo = 'l';
  part.diag = '\0';
  CHECK(tutti_bcast(world, &part, 0) == TUTTI_INVALID_ARGUMENT);
  CHECK(strstr(tutti_error_text(), "has diag 0, which is neither 'U' nor 'N'"));
  part.diag = 'n';
  CHECK(tutti_bcast(world, &part, 0) == TUTTI_OK);
  const tutti_plan_request chain = {.struct_size = sizeof chain,
                                    .operation = TUTTI_OP_BROADCAST,
                                    .algorithm = "chain",
                                    .segments = 10000000};
  tutti_plan plan;
  CHECK(tutti_plan_get(world, &chain, &plan) == TUTTI_INVALID_ARGUMENT);
  CHECK(strstr(tutti_error_text(), "segments is 10000000 but must be at most 1048576"));
}

int main(int argc, char** argv) {
  tutti_errors_return();
  const int would_join = tutti_would_join();
  CHECK(tutti_init() == TUTTI_OK && argc == 2);
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  CHECK(would_join == tutti_launched() && tutti_would_join() == would_join);
  names();
  members();
  described();
  schedules(argv[1]);
  texts();
  CHECK(tutti_finalize() == TUTTI_OK);
  CHECK(tutti_would_join() == 0);
  if (rank == 0 && failures == 0) puts("questions: right");
  return failures != 0;
}
