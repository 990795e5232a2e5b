/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that allocate, of all parts of tutti.h: groups, operators, collectives that wait or are
 * started or prepared, plans, messages, windows. With the argument "statuses" the program wants
 * statuses; it prints the first that is no success, and ends with code 3. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti_runtime.h>

enum { count = 300, code_of_status = 3, most = 16 };

static int64_t in[count * most], out[count * most];
static int rank, size;
static tutti_group world;

static void check(tutti_status status, const char* call) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "rank %d: %s: status %d (%s): %s\n", rank, call, status, tutti_strerror(status),
          tutti_error_text());
  exit(code_of_status);
}
#define CHECK(call) check(call, #call)

/* A call that returns the length of a text returns 0 if it fails. */
static void check_text(size_t length, const char* call) {
  if (length > 0) return;
  fprintf(stderr, "rank %d: %s: %s\n", rank, call, tutti_error_text());
  exit(code_of_status);
}

static void require(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: WRONG RESULT: %s\n", rank, what);
  exit(1);
}

static void add(void* result, const void* left, const void* right, int64_t n, void* user) {
  (void)user;
  for (int64_t i = 0; i < n; i++)
    ((int64_t*)result)[i] = ((const int64_t*)left)[i] + ((const int64_t*)right)[i];
}

static void groups(void) {
  tutti_group half, copy, row, column;
  CHECK(tutti_group_split(world, rank % 2, rank, &half));
  CHECK(tutti_group_dup(world, &copy));
  CHECK(tutti_group_mesh(world, 1, size, &row, &column));
  CHECK(tutti_barrier(copy));
  CHECK(tutti_group_free(half));
  CHECK(tutti_group_free(copy));
  CHECK(tutti_group_free(row));
  CHECK(tutti_group_free(column));
}

static void collectives(void) {
  const tutti_data input = tutti_array(in, count, TUTTI_INT64);
  const tutti_data output = tutti_array(out, count, TUTTI_INT64);
  const tutti_data all = tutti_array(out, count * size, TUTTI_INT64);
  const tutti_data from = tutti_array(in, count * size, TUTTI_INT64);
  tutti_op own;
  tutti_request started = {0}, prepared = {0};
  CHECK(tutti_op_create(TUTTI_INT64, add, 1, NULL, &own));
  CHECK(tutti_bcast(world, &input, 0));
  CHECK(tutti_allreduce(world, &input, &output, own));
  require(out[1] == size, "allreduce");
  CHECK(tutti_reduce(world, &input, &output, TUTTI_SUM, size - 1));
  CHECK(tutti_allgather(world, &input, &all));
  require(out[count * size - 1] == count - 1, "allgather");
  CHECK(tutti_alltoall(world, &from, &all));
  CHECK(tutti_scan(world, &input, &output, TUTTI_MAX));
  CHECK(tutti_iallreduce(world, &input, &output, TUTTI_SUM, &started));
  CHECK(tutti_wait(&started));
  CHECK(tutti_bcast_init(world, &input, 0, &prepared));
  CHECK(tutti_start(prepared));
  CHECK(tutti_wait(&prepared));
  CHECK(tutti_request_free(&prepared));
  CHECK(tutti_op_free(own));
}

static void plans(void) {
  const tutti_data data = tutti_array(out, count, TUTTI_INT64);
  const tutti_plan_request request = {.struct_size = sizeof request,
                                      .operation = TUTTI_OP_BROADCAST,
                                      .algorithm = "chain",
                                      .root = 0,
                                      .segments = 4};
  const tutti_run run = {.struct_size = sizeof run, .input = &data, .output = &data};
  char text[4000];
  tutti_plan plan;
  CHECK(tutti_plan_get(world, &request, &plan));
  check_text(tutti_plan_text(plan, text, sizeof text), "tutti_plan_text");
  CHECK(tutti_plan_run(plan, &run));
}

static void messages(void) {
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  const tutti_data sent = tutti_array(in, count * size, TUTTI_INT64);
  const tutti_data received = tutti_array(out, count * size, TUTTI_INT64);
  tutti_request sending = {0}, receiving = {0};
  CHECK(tutti_isend(world, &sent, next, 5, &sending));
  CHECK(tutti_receive(world, &received, before, 5, NULL, NULL));
  CHECK(tutti_wait(&sending));
  CHECK(tutti_ireceive(world, &received, before, 6, NULL, NULL, &receiving));
  CHECK(tutti_send(world, &sent, next, 6));
  CHECK(tutti_wait(&receiving));
}

static void windows(void) {
  void* window = NULL;
  CHECK(tutti_alloc(1 << 16, &window));
  memset(window, rank, 1 << 16);
  CHECK(tutti_barrier(world));
  CHECK(tutti_free(window));
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "statuses") == 0) tutti_errors_return();
  CHECK(tutti_init());
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  for (int i = 0; i < count * size; i++) in[i] = i % count;
  groups();
  collectives();
  plans();
  messages();
  windows();
  CHECK(tutti_finalize());
  if (rank == 0) printf("all is right\n");
  return 0;
}
