/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of MPI alone that does what endless.c does, for comparison: a fault after which this
 * program hangs, too, is one of the MPI. Usage: plain SECONDS; 0 is for ever.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { most = 20000 };

int main(int argc, char** argv) {
  static long in[most], out[most];
  int rank = 0, ranks = 1;
  MPI_Init(&argc, &argv);
  const double seconds = argc > 1 ? atof(argv[1]) : 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  fprintf(stderr, "rank %d is process %d\n", rank, (int)getpid());
  const time_t begun = time(NULL);
  int go_on = 1;
  for (long round = 0; go_on; ++round) {
    const int n = 1 + (int)(round * 613 % (round % 8 == 0 ? most : 300));
    MPI_Allreduce(in, out, n, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(out, n, MPI_LONG, (int)(round % ranks), MPI_COMM_WORLD);
    MPI_Sendrecv(in, n, MPI_LONG, (rank + 1) % ranks, 5, out, n, MPI_LONG,
                 (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const int mine = seconds == 0 || (double)(time(NULL) - begun) < seconds;
    MPI_Allreduce(&mine, &go_on, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  }
  if (rank == 0) puts("plain: right");
  MPI_Finalize();
  return 0;
}
