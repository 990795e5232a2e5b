// SPDX-License-Identifier: BSD-3-Clause
// Runs one collective under SMPI (SimGrid): smpi OPERATION BYTES, where BYTES is the length of the
// whole vector. Prints the simulated time in microseconds. The --cfg of smpirun chooses the
// algorithm.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  const char* operation = argv[1];
  const long bytes = atol(argv[2]);
  const int block = (int)(bytes / size);
  // Ranks share the memory, because only the time is simulated, not the contents.
  char* in = SMPI_SHARED_MALLOC((size_t)bytes + 1);
  char* out = SMPI_SHARED_MALLOC((size_t)bytes + 1);
  const double begin = MPI_Wtime();
  if (strcmp(operation, "alltoall") == 0)
    MPI_Alltoall(in, block, MPI_CHAR, out, block, MPI_CHAR, MPI_COMM_WORLD);
  if (strcmp(operation, "allgather") == 0)
    MPI_Allgather(in, block, MPI_CHAR, out, block, MPI_CHAR, MPI_COMM_WORLD);
  if (strcmp(operation, "allreduce") == 0)
    MPI_Allreduce(in, out, (int)(bytes / 4), MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
  if (strcmp(operation, "bcast") == 0) MPI_Bcast(in, (int)bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  double time = MPI_Wtime() - begin, most = 0;
  MPI_Reduce(&time, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("simulated_us %.3f\n", most * 1e6);
  SMPI_SHARED_FREE(in);
  SMPI_SHARED_FREE(out);
  MPI_Finalize();
  return 0;
}
