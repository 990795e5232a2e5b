/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One of the textbook programs of the tests, a number of times: `textbook <program> <n> <times>`. Process 0 writes how many
 * seconds that took.
 */
#include "tests/frontends/bsp/programs/programs.h"

typedef struct {
  const char* name;
  void (*run)(int n);
} Program;
static const Program programs[] = {
    {"matmul", matrix_product},       {"sort", sample_sort},  {"fft", fft},    {"lu", lu},
    {"sparse", sparse_matrix_vector}, {"pagerank", pagerank}, {"sieve", sieve}};

int main(int argc, char** argv) {
  bsp_begin(bsp_nprocs());
  if (argc != 4) bsp_abort("usage: textbook <program> <n> <times>");
  bsp_sync();
  const double start = bsp_time();
  int runs = 0;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i) {
    for (int k = 0; k < atoi(argv[3]) && strcmp(programs[i].name, argv[1]) == 0; ++k, ++runs)
      programs[i].run(atoi(argv[2]));
  }
  if (runs == 0) bsp_abort("there is no program '%s'", argv[1]);
  bsp_sync();
  if (bsp_pid() == 0) printf("%.9f\n", bsp_time() - start);
  bsp_end();
  return 0;
}
