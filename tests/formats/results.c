// SPDX-License-Identifier: BSD-3-Clause
// Runs a collective on numbers whose sum depends on the order of adding, with separate memory and
// in place, several times. Rank 0 prints a hash of the bits that all ranks have got. The argument
// is allreduce, reduce_scatter, allgather, alltoall, which is never in place, or plan NAME, which
// asks for an allreduce by a plan.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>

enum { most_ranks = 64, elements = 1013 };

static uint64_t hash_of(const double* values, int count, uint64_t hash) {
  const unsigned char* bytes = (const unsigned char*)values;
  for (size_t i = 0; i < (size_t)count * sizeof *values; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3U;
  return hash;
}

static void fill(double* values, int count, int rank) {
  for (int i = 0; i < count; ++i)
    values[i] = (rank % 2 ? 1e-9 : 1e7) * (1 + (i * 7 + rank * 13) % 101) / 3;
}

typedef struct {
  const char* name;
  const char* algorithm;  // of a plan
  int own, whole;         // elements of one rank, and of all
} Call;

static void run(const Call* call, const tutti_data* input, const tutti_data* output) {
  const tutti_group world = tutti_world();
  if (call->algorithm != NULL) {
    const tutti_plan_request request = {.struct_size = sizeof request,
                                        .operation = TUTTI_OP_ALLREDUCE,
                                        .algorithm = call->algorithm};
    const tutti_run arguments = {
        .struct_size = sizeof arguments, .input = input, .output = output, .op = TUTTI_SUM};
    tutti_plan plan;
    tutti_plan_get(world, &request, &plan);
    tutti_plan_run(plan, &arguments);
  } else if (strcmp(call->name, "allreduce") == 0) {
    tutti_allreduce(world, input, output, TUTTI_SUM);
  } else if (strcmp(call->name, "reduce_scatter") == 0) {
    tutti_reduce_scatter(world, input, output, TUTTI_SUM);
  } else if (strcmp(call->name, "alltoall") == 0) {
    tutti_alltoall(world, input, output);
  } else {
    tutti_allgather(world, input, output);
  }
}

// Returns the hash of what this rank gets in both placements.
static uint64_t results(const Call* call, int rank) {
  const int is_gather = strcmp(call->name, "allgather") == 0;
  const int is_scatter = strcmp(call->name, "reduce_scatter") == 0;
  const int in = is_gather ? call->own : call->whole, out = is_scatter ? call->own : call->whole;
  double* from = malloc((size_t)call->whole * sizeof *from);
  double* to = malloc((size_t)call->whole * sizeof *to);
  uint64_t hash = 0xcbf29ce484222325U;
  for (int turn = 0; turn < 3; ++turn) {
    fill(from, in, rank);
    tutti_data input = tutti_array(from, in, TUTTI_DOUBLE),
               output = tutti_array(to, out, TUTTI_DOUBLE);
    run(call, &input, &output);
    hash = hash_of(to, out, hash);
    if (strcmp(call->name, "alltoall") == 0) continue;
    double* const own = to + (is_gather || is_scatter ? rank * call->own : 0);
    fill(is_gather ? own : to, in, rank);
    input = tutti_array(is_gather ? own : to, in, TUTTI_DOUBLE);
    output = tutti_array(is_scatter ? own : to, out, TUTTI_DOUBLE);
    run(call, &input, &output);
    hash = hash_of(is_scatter ? own : to, out, hash);
  }
  free(from);
  free(to);
  return hash;
}

int main(int argc, char** argv) {
  tutti_init();
  const int rank = tutti_rank(tutti_world()), size = tutti_size(tutti_world());
  Call call = {argc > 1 ? argv[1] : "allreduce", NULL, elements, elements * size};
  if (strcmp(call.name, "plan") == 0 && argc > 2) {
    call.name = "allreduce";
    call.algorithm = argv[2];
  }
  uint64_t mine = results(&call, rank), all[most_ranks] = {0};
  const tutti_data input = tutti_array(&mine, 1, TUTTI_INT64);
  const tutti_data output = tutti_array(all, rank == 0 ? size : 0, TUTTI_INT64);
  tutti_gather(tutti_world(), &input, rank == 0 ? &output : NULL, 0);
  for (int i = 0; rank == 0 && i < size; ++i) printf("%016llx ", (unsigned long long)all[i]);
  if (rank == 0) printf("\n");
  tutti_finalize();
  return 0;
}
