/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 makes one collective more than the others, which are in MPI_Finalize: of MPI_COMM_WORLD,
 * or with an argument of another communicator. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, one = 1, sum;
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (rank == 1) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, argc > 1 ? comm : MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
