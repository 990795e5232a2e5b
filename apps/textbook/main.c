// SPDX-License-Identifier: BSD-3-Clause
// Runs all programs one after the other in one parallel part, so that each finds the library as the
// others have left it.
#include "programs.h"

int main(void) {
  bsp_begin(bsp_nprocs());
  for (int round = 0; round < 2; ++round) {
    inner_product(1000 + round);
    lu(30 + 7 * round);
    fft(64 << round);
    matrix_product(41 + 3 * round);
    sparse_matrix_vector(90 + round);
    sample_sort(3000 + 17 * round);
    sieve(5000);
    pagerank(50 + round);
  }
  if (bsp_pid() == 0) printf("8 programs on %d processes\n", (int)bsp_nprocs());
  bsp_end();
  return 0;
}
