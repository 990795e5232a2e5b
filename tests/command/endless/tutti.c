/* SPDX-License-Identifier: BSD-3-Clause
 * Reduces and waits at barriers for ever, or ends after some turns: the argument is how many.
 * test_hard_kills.py kills its processes, also while they end. */
#include <stdlib.h>
#include <tutti/tutti.h>

int main(int argc, char** argv) {
  const long turns = argc > 1 ? atol(argv[1]) : 0;
  if (tutti_init() != TUTTI_OK) return 1;
  for (long turn = 0; turns == 0 || turn < turns; ++turn) {
    double mine = 1, sum = 0;
    const tutti_data input = tutti_array(&mine, 1, TUTTI_DOUBLE),
                     output = tutti_array(&sum, 1, TUTTI_DOUBLE);
    if (tutti_allreduce(tutti_world(), &input, &output, TUTTI_SUM) != TUTTI_OK) return 2;
    if (tutti_barrier(tutti_world()) != TUTTI_OK) return 3;
  }
  return tutti_finalize() != TUTTI_OK;
}
