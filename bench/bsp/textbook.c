/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Runs one of the textbook programs of the tests several times: `textbook <program> <n>
 * <times>`. Process 0 writes the least and the median time of a run, in seconds. A bsp_sync
 * precedes the first run and follows each.
 */
#include "apps/textbook/programs.h"

typedef struct {
  const char* name;
  void (*run)(int n);
} Program;
static const Program programs[] = {
    {"matmul", matrix_product},       {"sort", sample_sort},  {"fft", fft},    {"lu", lu},
    {"sparse", sparse_matrix_vector}, {"pagerank", pagerank}, {"sieve", sieve}};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  bsp_begin(bsp_nprocs());
  if (argc != 4 || atoi(argv[3]) < 1) bsp_abort("usage: textbook <program> <n> <times>");
  const Program* chosen = NULL;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i) {
    if (strcmp(programs[i].name, argv[1]) == 0) chosen = &programs[i];
  }
  if (chosen == NULL) bsp_abort("there is no program '%s'", argv[1]);
  const int n = atoi(argv[2]), times = atoi(argv[3]);
  double* const seconds = malloc((size_t)times * sizeof(double));
  bsp_sync();
  for (int k = 0; k < times; ++k) {
    const double start = bsp_time();
    chosen->run(n);
    bsp_sync();
    seconds[k] = bsp_time() - start;
  }
  qsort(seconds, (size_t)times, sizeof(double), ascending);
  if (bsp_pid() == 0) printf("%.9f %.9f\n", seconds[0], seconds[times / 2]);
  free(seconds);
  bsp_end();
  return 0;
}
