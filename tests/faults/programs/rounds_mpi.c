/* SPDX-License-Identifier: BSD-3-Clause
 * A small job of MPI, whose collectives `tutti mpi` serves: a broadcast, a sum of many numbers, and
 * messages in a circle. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { many = 20000 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, n = 0, theirs = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  int root_says = rank == 0 ? 42 : 0;
  MPI_Bcast(&root_says, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double* numbers = malloc(many * sizeof *numbers);
  if (numbers == NULL) return 1;
  for (int i = 0; i < many; ++i) numbers[i] = rank + i;
  MPI_Allreduce(MPI_IN_PLACE, numbers, many, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const int mine = rank * rank;
  MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % n, 1, &theirs, 1, MPI_INT, (rank + n - 1) % n, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("rank %d of %d: %d, %.0f, %d\n", rank, n, root_says, numbers[many - 1], theirs);
  free(numbers);
  MPI_Finalize();
  return 0;
}
