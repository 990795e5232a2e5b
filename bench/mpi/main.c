/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the time of a collective, on tutti or, with TUTTI_BENCH_ON_MPI, on an MPI alone, with
 * the same loop. Prints one line per operation and size: operation, bytes, and microseconds per
 * call in a series of calls on the slowest process. Broadcasts change their root in every call.
 * Usage: bench_mpi SECONDS-PER-LINE BYTES...
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef TUTTI_BENCH_ON_MPI
#include <mpi.h>
static int me, p;
static void start(void) {
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
}
static void finish(void) {
  MPI_Finalize();
}
static void sum(double* x, long n) {
  MPI_Allreduce(MPI_IN_PLACE, x, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static void broadcast(double* x, long n, int root) {
  MPI_Bcast(x, (int)n, MPI_DOUBLE, root, MPI_COMM_WORLD);
}
#else
#include <tutti/tutti.h>
static int me, p;
static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}
static void start(void) {
  must(tutti_init());
  me = tutti_rank(tutti_world());
  p = tutti_size(tutti_world());
}
static void finish(void) {
  must(tutti_finalize());
}
static void sum(double* x, long n) {
  const tutti_data data = tutti_array(x, n, TUTTI_DOUBLE);
  must(tutti_allreduce(tutti_world(), &data, &data, TUTTI_SUM));
}
static void broadcast(double* x, long n, int root) {
  const tutti_data data = tutti_array(x, n, TUTTI_DOUBLE);
  must(tutti_bcast(tutti_world(), &data, root));
}
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double series(int reduces, double* x, long n, long calls) {
  double began, took;
  sum(x, 1); /* all processes begin together */
  began = now();
  for (long i = 0; i < calls; ++i) {
    if (reduces) {
      sum(x, n);
    } else {
      broadcast(x, n, (int)(i % p));
    }
  }
  took = now() - began;
  /* All processes get one answer, which determines the next number of calls. */
  broadcast(&took, 1, 0);
  return took;
}

static void measure(int reduces, long bytes, double seconds) {
  const long n = bytes / 8 > 0 ? bytes / 8 : 1;
  double* x = calloc((size_t)n, sizeof(double));
  long calls = 1;
  double took = 0;
  /* Makes the connections, which are made when first used and may take longer than all that
   * follows. */
  series(reduces, x, n, 2L * p);
  while ((took = series(reduces, x, n, calls)) < seconds && calls < 100000000) {
    const double factor = took > 0 ? 1.3 * seconds / took : 10;
    calls = (long)((double)calls * (factor > 10 ? 10 : factor)) + 1;
  }
  if (me == 0)
    printf("%s %ld %.3f\n", reduces ? "allreduce" : "bcast", bytes, 1e6 * took / (double)calls);
  free(x);
}

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 0.05;
  start();
  for (int i = 2; i < argc; ++i) {
    measure(1, atol(argv[i]), seconds);
    measure(0, atol(argv[i]), seconds);
  }
  fflush(stdout);
  finish();
  return 0;
}
