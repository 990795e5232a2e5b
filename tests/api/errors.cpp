// SPDX-License-Identifier: BSD-3-Clause
// Makes calls that must be refused, and checks the status and a text that names the call, the
// argument, its value and the rank.
// Usage: under `tutti run -n 2`: errors arguments|size|root|operator|type
#include <tutti/tutti.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace {

int me = 0, wrong = 0;

void refused(const char* what, tutti_status status, tutti_status wanted,
             std::initializer_list<const char*> words) {
  const std::string text = tutti_error_text();
  bool good = status == wanted;
  for (const char* word : words) good = good && text.find(word) != std::string::npos;
  if (good) return;
  ++wrong;
  std::fprintf(stderr, "rank %d: %s gives status %d and '%s'\n", me, what, status, text.c_str());
}

void arguments(tutti_group world) {
  double x[8] = {};
  const tutti_data two = tutti_array(x, 2, TUTTI_DOUBLE),
                   shifted = tutti_array(x + 1, 2, TUTTI_DOUBLE);
  const tutti_data four = tutti_array(x + 4, 4, TUTTI_DOUBLE);
  const std::string rank = "rank " + std::to_string(me);
  refused("a root outside", tutti_bcast(world, &two, 9), TUTTI_INVALID_ARGUMENT,
          {"tutti_bcast", "'root' is 9", "2 ranks", rank.c_str()});
  refused("a negative root", tutti_reduce(world, &two, &two, TUTTI_SUM, -1), TUTTI_INVALID_ARGUMENT,
          {"tutti_reduce", "'root' is -1"});
  refused("an overlap", tutti_allreduce(world, &two, &shifted, TUTTI_SUM), TUTTI_INVALID_ARGUMENT,
          {"tutti_allreduce", "overlap", rank.c_str()});
  refused("an allgather", tutti_allgather(world, &shifted, &four), TUTTI_OK, {});
  const tutti_data inside = tutti_array(x + 5, 2, TUTTI_DOUBLE);
  refused("an own part in the wrong place", tutti_allgather(world, &inside, &four),
          TUTTI_INVALID_ARGUMENT, {"tutti_allgather", "overlap", "own part"});
  refused("sizes that do not fit", tutti_allgather(world, &two, &two), TUTTI_INVALID_ARGUMENT,
          {"tutti_allgather", "'output' has 2", "4 are needed"});
  const tutti_data huge =
      tutti_array(x, std::numeric_limits<std::int64_t>::max() / 2 + 1, TUTTI_DOUBLE);
  refused("an overflow", tutti_allgather(world, &huge, &huge), TUTTI_INVALID_ARGUMENT,
          {"tutti_allgather", "too many"});
  refused("an overflow of bytes", tutti_bcast(world, &huge, 0), TUTTI_INVALID_ARGUMENT,
          {"tutti_bcast"});
  const std::int64_t negative[] = {-1, 3}, sums[] = {INT64_MAX, INT64_MAX};
  refused("a negative count", tutti_allgatherv(world, &two, &four, negative),
          TUTTI_INVALID_ARGUMENT, {"tutti_allgatherv", "-1 elements for rank 0"});
  refused("counts that overflow", tutti_allgatherv(world, &two, &four, sums),
          TUTTI_INVALID_ARGUMENT, {"tutti_allgatherv", "too large"});
  refused("no counts", tutti_allgatherv(world, &two, &four, nullptr), TUTTI_INVALID_ARGUMENT,
          {"'counts' is NULL"});
  const tutti_data three = tutti_array(x, 3, TUTTI_DOUBLE),
                   other = tutti_array(x + 4, 3, TUTTI_DOUBLE);
  refused("a vector that cannot be shared", tutti_alltoall(world, &three, &other),
          TUTTI_INVALID_ARGUMENT, {"tutti_alltoall", "3 elements"});
  refused("no output", tutti_allreduce(world, &two, nullptr, TUTTI_SUM), TUTTI_INVALID_ARGUMENT,
          {"'output' is NULL"});
  refused("a stale group", tutti_barrier({77}), TUTTI_STALE_HANDLE, {"tutti_barrier", "'group'"});
  refused("a mesh that does not fit", tutti_group_mesh(world, 2, 3, nullptr, nullptr),
          TUTTI_INVALID_ARGUMENT, {"'rows'", "2 and 3", "2 ranks"});
}

// The number of bytes of these elements does not fit into 64 bits, and the low 64 bits of it are
// the number of bytes of one element.
void messages(tutti_group world) {
  double x = 0;
  const tutti_data wrapped = tutti_array(&x, (std::int64_t{1} << 61) + 1, TUTTI_DOUBLE);
  refused("an overflow in a message", tutti_send(world, &wrapped, 1 - me, 0),
          TUTTI_INVALID_ARGUMENT, {"tutti_send", "'data' has", "too many"});
  refused("an overflow in an awaited message",
          tutti_receive(world, &wrapped, 1 - me, 0, nullptr, nullptr), TUTTI_INVALID_ARGUMENT,
          {"tutti_receive", "'data' has", "too many"});
}

void requests(tutti_group world) {
  tutti_request none{0}, stale{77}, barrier{0};
  refused("waiting for nothing", tutti_wait(&none), TUTTI_OK, {});
  refused("a stale request", tutti_wait(&stale), TUTTI_STALE_HANDLE, {"tutti_wait", "'request'"});
  refused("no place for the request", tutti_ibarrier(world, nullptr), TUTTI_INVALID_ARGUMENT,
          {"'request' is NULL"});
  tutti_group twin{0};
  refused("dup", tutti_group_dup(world, &twin), TUTTI_OK, {});
  refused("init", tutti_barrier_init(twin, &barrier), TUTTI_OK, {});
  refused("a group with requests", tutti_group_free(twin), TUTTI_INVALID_ARGUMENT,
          {"tutti_group_free", "1 requests"});
  refused("start", tutti_start(barrier), TUTTI_OK, {});
  refused("wait", tutti_wait(&barrier), TUTTI_OK, {});
  refused("free", tutti_request_free(&barrier), TUTTI_OK, {});
  refused("group free", tutti_group_free(twin), TUTTI_OK, {});
}

void algorithms(tutti_group world) {
  tutti_plan_request request = {};
  request.struct_size = sizeof(request);
  request.operation = TUTTI_OP_ALLREDUCE;
  request.algorithm = "nonsense";
  tutti_plan plan{0};
  refused("an unknown algorithm", tutti_plan_get(world, &request, &plan), TUTTI_NO_SUCH_PLAN,
          {"tutti_plan_get", "'nonsense'", "ring"});
  request.algorithm = "ring";
  refused("ring", tutti_plan_get(world, &request, &plan), TUTTI_OK, {});
  tutti_op op{0};
  refused("op",
          tutti_op_create(
              TUTTI_DOUBLE, [](void*, const void*, const void*, std::int64_t, void*) {}, 0, nullptr,
              &op),
          TUTTI_OK, {});
  double x = 0;
  const tutti_data data = tutti_array(&x, 1, TUTTI_DOUBLE);
  const tutti_run run = {sizeof(run), &data, &data, op, nullptr, nullptr, nullptr, nullptr};
  refused("an ordered operator", tutti_plan_run(plan, &run), TUTTI_INVALID_ARGUMENT,
          {"tutti_plan_run", "'ring'", "not commutative", "rank"});
  request.segments = -2;
  refused("segments", tutti_plan_get(world, &request, &plan), TUTTI_INVALID_ARGUMENT, {"-2"});
}

// Each of these cases leaves messages behind, so the group is not used again.
void other_size(tutti_group world) {
  double x[2] = {};
  const tutti_data one = tutti_array(x, 1, TUTTI_DOUBLE), two = tutti_array(x, 2, TUTTI_DOUBLE);
  if (me == 0) {
    refused("bcast", tutti_bcast(world, &one, 0), TUTTI_OK, {});
  } else {
    refused("another size", tutti_bcast(world, &two, 0), TUTTI_MISMATCH,
            {"tutti_bcast", "expects 16 bytes", "sent 8", "rank 1"});
  }
}

void other_root(tutti_group world) {
  double x = 0;
  const tutti_data one = tutti_array(&x, 1, TUTTI_DOUBLE);
  if (me == 0) {
    refused("bcast", tutti_bcast(world, &one, 0), TUTTI_OK, {});
  } else {
    refused("another operation and root", tutti_reduce(world, &one, &one, TUTTI_SUM, 1),
            TUTTI_MISMATCH, {"tutti_reduce", "root 1", "broadcast", "root 0", "rank 1"});
  }
}

void other_operator(tutti_group world) {
  double x = 0;
  const tutti_data one = tutti_array(&x, 1, TUTTI_DOUBLE);
  refused(
      "another operator", tutti_allreduce(world, &one, &one, me == 0 ? TUTTI_SUM : TUTTI_MAX),
      TUTTI_MISMATCH,
      {"tutti_allreduce", "sum of float64", "max of float64", "rank 0", "rank 1", "same operator"});
}

// Only the root gets an error.
void other_type(tutti_group world) {
  double x = 0;
  const tutti_data one = tutti_array(&x, 1, me == 0 ? TUTTI_DOUBLE : TUTTI_INT64);
  const tutti_status status = tutti_reduce(world, &one, &one, TUTTI_SUM, 0);
  if (me == 0) {
    refused("another type", status, TUTTI_MISMATCH,
            {"tutti_reduce", "rank 0 of 2", "by sum of float64", "rank 1 by sum of int64"});
  } else {
    refused("reduce", status, TUTTI_OK, {});
  }
}

}  // namespace

int main(int argc, char** argv) {
  tutti_errors_return();
  if (tutti_init() != TUTTI_OK) return 1;
  const tutti_group world = tutti_world();
  me = tutti_rank(world);
  const std::string part = argc > 1 ? argv[1] : "arguments";
  if (part == "arguments") {
    arguments(world);
    messages(world);
    requests(world);
    algorithms(world);
  } else if (part == "size") {
    other_size(world);
  } else if (part == "operator") {
    other_operator(world);
  } else if (part == "type") {
    other_type(world);
  } else {
    other_root(world);
  }
  if (wrong != 0) return 1;
  tutti_finalize();
  return 0;
}
