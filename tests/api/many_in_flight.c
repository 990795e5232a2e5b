/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts many operations of one group before any is waited for, while the last rank starts none of
 * them for a while. The numbers of the operations must not be taken for those of earlier ones.
 * Argument: the number of operations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>
#include <unistd.h>

int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 0;
  double* const mine = calloc((size_t)count, sizeof *mine);
  double* const sums = calloc((size_t)count, sizeof *sums);
  tutti_request* const requests = calloc((size_t)count, sizeof *requests);
  if (mine == NULL || sums == NULL || requests == NULL) return 1;
  tutti_init();
  const tutti_group world = tutti_world();
  const int rank = tutti_rank(world), p = tutti_size(world);
  if (rank == p - 1) usleep(200000);
  for (int i = 0; i < count; ++i) {
    mine[i] = i + rank;
    const tutti_data from = tutti_array(mine + i, 1, TUTTI_DOUBLE);
    const tutti_data to = tutti_array(sums + i, 1, TUTTI_DOUBLE);
    tutti_iallreduce(world, &from, &to, TUTTI_SUM, &requests[i]);
  }
  tutti_waitall(count, requests);
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += sums[i] != p * (double)i + p * (p - 1) / 2.0;
  if (wrong != 0) fprintf(stderr, "rank %d: %d sums are wrong\n", rank, wrong);
  free(mine);
  free(sums);
  free(requests);
  tutti_finalize();
  return wrong != 0;
}
