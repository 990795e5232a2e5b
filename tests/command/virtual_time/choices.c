// SPDX-License-Identifier: BSD-3-Clause
// Runs three operations, so that a test can see by which algorithms. The arguments are their bytes.
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  must(tutti_init());
  const tutti_group world = tutti_world();
  const int p = tutti_size(world);
  char* const from = calloc(1, 1 << 20);
  char* const to = calloc(1, 1 << 20);
  const tutti_data vector = tutti_array(from, atol(argv[1]), TUTTI_INT8);
  must(tutti_bcast(world, &vector, 0));
  const tutti_data in = tutti_array(from, atol(argv[2]) / 8, TUTTI_DOUBLE);
  const tutti_data sum = tutti_array(to, atol(argv[2]) / 8, TUTTI_DOUBLE);
  must(tutti_allreduce(world, &in, &sum, TUTTI_SUM));
  const tutti_data part = tutti_array(from, atol(argv[3]) / p, TUTTI_INT8);
  const tutti_data all = tutti_array(to, atol(argv[3]) / p * p, TUTTI_INT8);
  must(tutti_allgather(world, &part, &all));
  must(tutti_finalize());
  free(from);
  free(to);
  return 0;
}
