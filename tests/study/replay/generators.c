// SPDX-License-Identifier: BSD-3-Clause
// Runs algorithms by their names, one after the other, on bytes. The file that is the argument has
// a line for each: OPERATION ALGORITHM ROOT BYTES, where OPERATION is a number of tutti_operation.
// The bytes are those of the whole vector. Where ranks have parts, they must be equal. In virtual
// time, case i begins on all ranks i thousand seconds after the job, and each rank prints when it
// has ended the case: CASE NANOSECONDS.
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <tutti/tutti_time.h>

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static void run(const tutti_plan_request* request, unsigned char* from, unsigned char* to) {
  const tutti_operation operation = request->operation;
  const int64_t whole = request->bytes, part = whole / tutti_size(tutti_world());
  const int scatters = operation == TUTTI_OP_SCATTER || operation == TUTTI_OP_REDUCE_SCATTER;
  const int gathers = operation == TUTTI_OP_GATHER || operation == TUTTI_OP_ALLGATHER;
  const tutti_data input = tutti_array(from, gathers ? part : whole, TUTTI_UINT8);
  const tutti_data output = tutti_array(to, scatters ? part : whole, TUTTI_UINT8);
  const int has_data = operation != TUTTI_OP_BARRIER;
  const tutti_run arguments = {.struct_size = sizeof arguments,
                               .input = has_data ? &input : NULL,
                               .output = has_data ? &output : NULL,
                               .op = TUTTI_SUM};
  tutti_plan plan;
  must(tutti_plan_get(tutti_world(), request, &plan));
  must(tutti_plan_run(plan, &arguments));
}

int main(int argc, char** argv) {
  enum { most_bytes = 1 << 20 };
  must(tutti_init());
  FILE* const list = fopen(argc > 1 ? argv[1] : "", "r");
  unsigned char* const from = calloc(1, most_bytes);
  unsigned char* const to = calloc(1, most_bytes);
  if (list == NULL || from == NULL || to == NULL) return 1;
  char name[1000];
  int operation, root;
  long long bytes;
  const uint64_t apart = 1000000000000;
  uint64_t number = 0;
  while (fscanf(list, "%d %999s %d %lld", &operation, name, &root, &bytes) == 4) {
    const tutti_plan_request request = {.struct_size = sizeof request,
                                        .operation = (tutti_operation)operation,
                                        .algorithm = name,
                                        .root = root,
                                        .bytes = bytes};
    tutti_spend_until(++number * apart);
    if (bytes <= most_bytes) run(&request, from, to);
    if (tutti_has_virtual_time())
      printf("%llu %llu\n", (unsigned long long)number,
             (unsigned long long)(tutti_nanoseconds() - number * apart));
  }
  fclose(list);
  free(from);
  free(to);
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
