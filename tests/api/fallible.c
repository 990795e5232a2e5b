/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests operators whose function may fail. Whichever rank it fails on, in whichever operation and
 * way of calling, all ranks get the same status, and the group can be used further. */
#include <stdio.h>
#include <string.h>
#include <tutti/tutti.h>

#include "rank_check.h"

enum { count = 6, most = 8 };

typedef struct {
  int fails; /* this rank's function fails */
  int calls, calls_after_failure;
} behaviour;

static int add(void* result, const void* left, const void* right, int64_t n, void* user) {
  behaviour* const mine = user;
  if (mine->fails && mine->calls > 0) ++mine->calls_after_failure;
  ++mine->calls;
  if (mine->fails) return 42;
  for (int64_t i = 0; i < n; i++)
    ((int64_t*)result)[i] = ((const int64_t*)left)[i] + ((const int64_t*)right)[i];
  return 0;
}

static int64_t in[count * most], out[count * most];
static tutti_data input, output;

typedef enum { waits, starts, prepares, plans, ways } way;

/* Makes the request of an operation; its id stays 0 if the call has waited. */
static tutti_status call(tutti_operation operation, way how, tutti_op op, tutti_request* request) {
  const int root = size - 1;
  switch (operation) {
    case TUTTI_OP_REDUCE:
      return how == waits    ? tutti_reduce(world, &input, &output, op, root)
             : how == starts ? tutti_ireduce(world, &input, &output, op, root, request)
                             : tutti_reduce_init(world, &input, &output, op, root, request);
    case TUTTI_OP_REDUCE_SCATTER:
      return how == waits    ? tutti_reduce_scatter(world, &input, &output, op)
             : how == starts ? tutti_ireduce_scatter(world, &input, &output, op, request)
                             : tutti_reduce_scatter_init(world, &input, &output, op, request);
    case TUTTI_OP_SCAN:
      return how == waits    ? tutti_scan(world, &input, &output, op)
             : how == starts ? tutti_iscan(world, &input, &output, op, request)
                             : tutti_scan_init(world, &input, &output, op, request);
    case TUTTI_OP_EXSCAN:
      return how == waits    ? tutti_exscan(world, &input, &output, op)
             : how == starts ? tutti_iexscan(world, &input, &output, op, request)
                             : tutti_exscan_init(world, &input, &output, op, request);
    default:
      return how == waits    ? tutti_allreduce(world, &input, &output, op)
             : how == starts ? tutti_iallreduce(world, &input, &output, op, request)
                             : tutti_allreduce_init(world, &input, &output, op, request);
  }
}

static tutti_status run_plan(tutti_operation operation, tutti_op op) {
  const tutti_plan_request request = {
      .struct_size = sizeof request, .operation = operation, .root = size - 1, .bytes = 8};
  const tutti_run run = {sizeof run, &input, &output, op, NULL, NULL, NULL, NULL};
  tutti_plan plan;
  CHECK(tutti_plan_get(world, &request, &plan) == TUTTI_OK);
  return tutti_plan_run(plan, &run);
}

static tutti_status run(tutti_operation operation, way how, tutti_op op) {
  tutti_request request = {0};
  if (how == plans) return run_plan(operation, op);
  tutti_status status = call(operation, how, op, &request);
  if (how == waits || status != TUTTI_OK) return status;
  if (how == prepares) CHECK(tutti_start(request) == TUTTI_OK);
  status = tutti_wait(&request);
  if (how == prepares) CHECK(request.id != 0 && tutti_request_free(&request) == TUTTI_OK);
  CHECK(request.id == 0);
  return status;
}

/* Returns 1 if all ranks give the same number. */
static int same_everywhere(int number) {
  int32_t mine = number, least = 0, greatest = 0;
  const tutti_data from = tutti_array(&mine, 1, TUTTI_INT32),
                   low = tutti_array(&least, 1, TUTTI_INT32),
                   high = tutti_array(&greatest, 1, TUTTI_INT32);
  CHECK(tutti_allreduce(world, &from, &low, TUTTI_MIN) == TUTTI_OK);
  CHECK(tutti_allreduce(world, &from, &high, TUTTI_MAX) == TUTTI_OK);
  return least == greatest;
}

static int any_calls(const behaviour* mine, int failing) {
  int32_t calls = mine->calls;
  const tutti_data data = tutti_array(&calls, 1, TUTTI_INT32);
  CHECK(tutti_bcast(world, &data, failing) == TUTTI_OK);
  return calls > 0;
}

static void one_rank_fails(tutti_operation operation, way how, int flags) {
  for (int failing = 0; failing < size; failing++) {
    behaviour mine = {rank == failing, 0, 0};
    tutti_op op;
    CHECK(tutti_op_create_fallible(TUTTI_INT64, add, flags, &mine, &op) == TUTTI_OK);
    const tutti_status status = run(operation, how, op);
    char wanted[80], text[400];
    snprintf(text, sizeof text, "%s", tutti_error_text());
    snprintf(wanted, sizeof wanted, "has failed on rank %d", failing);
    const int called = any_calls(&mine, failing);
    CHECK(status == (called ? TUTTI_OPERATOR_FAILED : TUTTI_OK));
    CHECK(!called || (strstr(text, wanted) != NULL && strstr(text, "it returned 42") != NULL));
    CHECK(same_everywhere(status) && mine.calls_after_failure == 0);
    mine.fails = 0; /* the same operator and the same group, again */
    for (int i = 0; i < count * size; i++) in[i] = rank + i;
    CHECK(run(TUTTI_OP_ALLREDUCE, how, op) == TUTTI_OK);
    CHECK(out[1] == (int64_t)size * (size - 1) / 2 + size);
    CHECK(tutti_op_free(op) == TUTTI_OK);
  }
}

/* In this algorithm each rank combines for itself, so that no message tells of the failure. */
static void each_for_itself(void) {
  const tutti_plan_request request = {
      .struct_size = sizeof request, .operation = TUTTI_OP_ALLREDUCE, .algorithm = "direct"};
  const tutti_run direct = {sizeof direct, &input, &output, {0}, NULL, NULL, NULL, NULL};
  tutti_plan plan;
  if (size == 1) return;
  CHECK(tutti_plan_get(world, &request, &plan) == TUTTI_OK);
  for (int failing = 0; failing < size; failing++) {
    behaviour mine = {rank == failing, 0, 0};
    tutti_run now = direct;
    CHECK(tutti_op_create_fallible(TUTTI_INT64, add, TUTTI_COMMUTATIVE, &mine, &now.op) ==
          TUTTI_OK);
    CHECK(tutti_plan_run(plan, &now) == TUTTI_OPERATOR_FAILED && mine.calls > 0);
    tutti_request started;
    CHECK(tutti_plan_start(plan, &now, &started) == TUTTI_OK);
    CHECK(tutti_wait(&started) == TUTTI_OPERATOR_FAILED && started.id == 0);
    CHECK(tutti_op_free(now.op) == TUTTI_OK);
  }
}

/* Leaves that one of two vectors whose last element is the greater one. Parts of the vectors would
 * be mixed. */
static int greater_end(void* result, const void* left, const void* right, int64_t n, void* user) {
  const int64_t *a = left, *b = right;
  if (n != count) return 1;
  memmove(result, a[n - 1] >= b[n - 1] ? left : right, (size_t)n * sizeof *a);
  (void)user;
  return 0;
}

static void whole_vectors(void) {
  const tutti_plan_request request = {
      .struct_size = sizeof request, .operation = TUTTI_OP_REDUCE, .algorithm = "mst"};
  tutti_run run = {sizeof run, &input, &output, {0}, NULL, NULL, NULL, NULL};
  tutti_plan plan;
  CHECK(tutti_plan_get(world, &request, &plan) == TUTTI_OK);
  CHECK(tutti_op_create_fallible(TUTTI_INT64, greater_end, TUTTI_COMMUTATIVE | TUTTI_WHOLE_VECTORS,
                                 NULL, &run.op) == TUTTI_OK);
  for (int i = 0; i < count; i++) in[i] = 100 * rank + i;
  CHECK(tutti_plan_run(plan, &run) == TUTTI_OK);
  if (rank == 0) CHECK(out[0] == 100 * (size - 1) && out[count - 1] == out[0] + count - 1);
  CHECK(tutti_op_free(run.op) == TUTTI_OK);
}

/* Two operations with one operator go on at the same time, and one fails. */
static void side_by_side(void) {
  behaviour fails = {rank == 0, 0, 0}, works = {0, 0, 0};
  tutti_op bad, good;
  tutti_request requests[2];
  CHECK(tutti_op_create_fallible(TUTTI_INT64, add, 0, &fails, &bad) == TUTTI_OK);
  CHECK(tutti_op_create_fallible(TUTTI_INT64, add, 0, &works, &good) == TUTTI_OK);
  int64_t other[count];
  const tutti_data apart = tutti_array(other, count, TUTTI_INT64);
  CHECK(tutti_iscan(world, &input, &output, bad, &requests[0]) == TUTTI_OK);
  CHECK(tutti_iallreduce(world, &input, &apart, good, &requests[1]) == TUTTI_OK);
  CHECK(tutti_wait(&requests[1]) == TUTTI_OK);
  const tutti_status status = tutti_wait(&requests[0]);
  CHECK(status == (any_calls(&fails, 0) ? TUTTI_OPERATOR_FAILED : TUTTI_OK));
  CHECK(tutti_op_free(bad) == TUTTI_OK && tutti_op_free(good) == TUTTI_OK);
}

int main(void) {
  static const tutti_operation operations[] = {TUTTI_OP_REDUCE, TUTTI_OP_ALLREDUCE, TUTTI_OP_SCAN,
                                               TUTTI_OP_EXSCAN, TUTTI_OP_REDUCE_SCATTER};
  tutti_errors_return();
  CHECK(tutti_init() == TUTTI_OK);
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  if (size > most) tutti_abort(1, "too many ranks");
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
    const int cuts = operations[o] == TUTTI_OP_REDUCE_SCATTER;
    for (way how = waits; how < ways; how++) {
      for (int flags = 0; flags <= TUTTI_COMMUTATIVE; flags++) {
        for (int i = 0; i < count * size; i++) in[i] = rank;
        input = tutti_array(in, cuts ? (int64_t)count * size : count, TUTTI_INT64);
        output = tutti_array(out, count, TUTTI_INT64);
        if (cuts) {
          /* The check with allreduce needs equal lengths. */
          behaviour mine = {rank == 0, 0, 0};
          tutti_op op;
          CHECK(tutti_op_create_fallible(TUTTI_INT64, add, flags, &mine, &op) == TUTTI_OK);
          const tutti_status status = run(operations[o], how, op);
          CHECK(status == (any_calls(&mine, 0) ? TUTTI_OPERATOR_FAILED : TUTTI_OK));
          CHECK(tutti_op_free(op) == TUTTI_OK);
        } else {
          one_rank_fails(operations[o], how, flags);
        }
      }
    }
  }
  input = output = tutti_array(in, count, TUTTI_INT64);
  output.address = out;
  each_for_itself();
  whole_vectors();
  side_by_side();
  tutti_op op;
  CHECK(tutti_op_create_fallible(TUTTI_INT64, NULL, 0, NULL, &op) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_op_create_fallible(TUTTI_INT64, add, 4, NULL, &op) == TUTTI_INVALID_ARGUMENT);
  CHECK(tutti_finalize() == TUTTI_OK);
  if (rank == 0 && failures == 0) puts("fallible: right");
  return failures != 0;
}
