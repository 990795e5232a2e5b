/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the shared memory that has pages after a barrier and an allreduce of 8 bytes. Rank 0
 * prints one JSON object. bench_against.py compiles it with the library of each of the two builds,
 * so it uses only calls that both have.
 */
#include <stdio.h>
#include <tutti/tutti.h>

#include "limits/shared_kib.h"

static int sum_of(double mine, double* all) {
  const tutti_data in = tutti_array(&mine, 1, TUTTI_DOUBLE),
                   out = tutti_array(all, 1, TUTTI_DOUBLE);
  return tutti_allreduce(tutti_world(), &in, &out, TUTTI_SUM) == TUTTI_OK;
}

int main(void) {
  double processes = 0, kib = 0;
  if (tutti_init() != TUTTI_OK || tutti_barrier(tutti_world()) != TUTTI_OK) return 1;
  if (!sum_of(1, &processes) || (int)processes != tutti_size(tutti_world())) return 1;
  if (!sum_of(shared_kib(), &kib)) return 1;
  if (tutti_rank(tutti_world()) == 0) {
    printf("{\"processes\": %.0f, \"shared_mib_per_process\": %.4f}\n", processes,
           kib / 1024 / processes);
  }
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
