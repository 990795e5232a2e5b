/* SPDX-License-Identifier: BSD-3-Clause
 * A small job of tutti.h: a broadcast, a sum of many numbers, and messages in a circle. Each rank
 * prints what it has. */
#include <stdio.h>
#include <stdlib.h>
#include <tutti/tutti.h>

enum { many = 20000 };

int main(void) {
  tutti_init();
  const tutti_group world = tutti_world();
  const int rank = tutti_rank(world), n = tutti_size(world);
  int root_says = rank == 0 ? 42 : 0;
  tutti_data one = tutti_array(&root_says, 1, TUTTI_INT32);
  tutti_bcast(world, &one, 0);
  double* numbers = malloc(many * sizeof *numbers);
  if (numbers == NULL) return 1;
  for (int i = 0; i < many; ++i) numbers[i] = rank + i;
  tutti_data vector = tutti_array(numbers, many, TUTTI_DOUBLE);
  tutti_allreduce(world, &vector, &vector, TUTTI_SUM);
  int mine = rank * rank, theirs = -1;
  const tutti_data out = tutti_array(&mine, 1, TUTTI_INT32);
  tutti_data in = tutti_array(&theirs, 1, TUTTI_INT32);
  tutti_request sent;
  tutti_isend(world, &out, (rank + 1) % n, 1, &sent);
  tutti_receive(world, &in, (rank + n - 1) % n, 1, NULL, NULL);
  tutti_wait(&sent);
  printf("rank %d of %d: %d, %.0f, %d\n", rank, n, root_says, numbers[many - 1], theirs);
  free(numbers);
  tutti_finalize();
  return 0;
}
