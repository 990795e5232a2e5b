/* SPDX-License-Identifier: BSD-3-Clause
 * Programs on which `tutti mpi --verdict` gives its verdict: `busy` makes collectives all the time,
 * in `waits` the last rank comes late to each, `alone` makes none, and `short` ends soon. Each rank
 * keeps a profile of its own and prints it: seconds from MPI_Init to MPI_Finalize, seconds in
 * collectives, and their number. */
#include <locale.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { doubles = 4096 };
static double in[doubles], out[doubles];
static double in_collectives;
static long calls;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void work(double seconds) {
  const double end = now() + seconds;
  while (now() < end) {
  }
}

#define PROFILED(call)               \
  do {                               \
    const double begin = now();      \
    call;                            \
    in_collectives += now() - begin; \
    ++calls;                         \
  } while (0)

/* Rank 0 says when the time is over, so that all make the same number of calls. */
static void make_collectives(double seconds, int rank) {
  const double end = now() + seconds;
  for (int go_on = 1; go_on;) {
    for (int i = 0; i < 50; ++i)
      PROFILED(MPI_Allreduce(in, out, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    if (rank == 0) go_on = now() < end;
    PROFILED(MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD));
  }
}

int main(int argc, char** argv) {
  setlocale(LC_ALL, "");
  MPI_Init(&argc, &argv);
  const double start = now();
  const char* kind = argc > 1 ? argv[1] : "";
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(kind, "busy") == 0) {
    make_collectives(1.3, rank);
  } else if (strcmp(kind, "waits") == 0) {
    for (int i = 0; i < 130; ++i) {
      work(rank == size - 1 ? 10e-3 : 2e-3);
      PROFILED(MPI_Allreduce(in, out, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    }
  } else if (strcmp(kind, "alone") == 0) {
    work(1.3);
  } else {
    const int barriers = argc > 2 ? atoi(argv[2]) : 100;
    for (int i = 0; i < barriers; ++i) PROFILED(MPI_Barrier(MPI_COMM_WORLD));
  }
  printf("profile %d: %.6f %.6f %ld\n", rank, now() - start, in_collectives, calls);
  fflush(stdout);
  MPI_Finalize();
  return 0;
}
