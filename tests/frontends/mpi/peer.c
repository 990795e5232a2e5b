/* SPDX-License-Identifier: BSD-3-Clause
 * A program of MPI that knows nothing of tutti. It prints "right" once. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int turn = 0; turn < 20; ++turn) {
    double mine[3] = {rank, turn, 1}, sum[3] = {0};
    int root = turn % size, word = rank == root ? 100 + turn : 0;
    MPI_Allreduce(mine, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    wrong += sum[0] != size * (size - 1) / 2 || sum[1] != turn * size || sum[2] != size;
    MPI_Bcast(&word, 1, MPI_INT, root, MPI_COMM_WORLD);
    wrong += word != 100 + turn;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("%s\n", wrong == 0 ? "right" : "WRONG");
  MPI_Finalize();
  return wrong != 0;
}
