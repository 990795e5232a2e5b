/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures the gap of an all-to-all exchange by several calls of an MPI (paper 003, figure 2.5).
 * It prints the least of the series as lines
 *   g,<call>,<words to each other process>,<seconds per word that a process sends>
 * Arguments: most words, series per sample, seconds per series.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int p, s;
static double *from, *to;
static MPI_Request* requests;
static MPI_Win window;

static void by_alltoall(int n) {
  MPI_Alltoall(from, n, MPI_DOUBLE, to, n, MPI_DOUBLE, MPI_COMM_WORLD);
}
static void by_alltoallv(int n) {
  int* const counts = malloc(2 * (size_t)p * sizeof(int));
  for (int i = 0; i < p; ++i) {
    counts[i] = n;
    counts[p + i] = i * n;
  }
  MPI_Alltoallv(from, counts, counts + p, MPI_DOUBLE, to, counts, counts + p, MPI_DOUBLE,
                MPI_COMM_WORLD);
  free(counts);
}
static void by_isend(int n) {
  int count = 0;
  for (int step = 1; step < p; ++step) {
    const int source = (s + p - step) % p, target = (s + step) % p;
    MPI_Irecv(to + (long)source * n, n, MPI_DOUBLE, source, 0, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(from + (long)target * n, n, MPI_DOUBLE, target, 0, MPI_COMM_WORLD,
              &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}
static void by_sendrecv(int n) {
  for (int step = 1; step < p; ++step) {
    const int source = (s + p - step) % p, target = (s + step) % p;
    MPI_Sendrecv(from + (long)target * n, n, MPI_DOUBLE, target, 0, to + (long)source * n, n,
                 MPI_DOUBLE, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}
static void by_put(int n) {
  for (int step = 1; step < p; ++step) {
    const int target = (s + step) % p;
    MPI_Put(from + (long)target * n, n, MPI_DOUBLE, target, (MPI_Aint)s * n, n, MPI_DOUBLE, window);
  }
  MPI_Win_fence(0, window);
}

typedef struct {
  const char* name;
  void (*exchange)(int n);
} Call;
static const Call calls[] = {{"MPI_Alltoall", by_alltoall},
                             {"MPI_Alltoallv", by_alltoallv},
                             {"MPI_Isend, MPI_Irecv", by_isend},
                             {"MPI_Sendrecv", by_sendrecv},
                             {"MPI_Put, MPI_Win_fence", by_put}};

static double word_of(int pid, int other, int n, int i) {
  return (double)pid * 1e6 + (double)other * 1e4 + n % 7 + i;
}

static void check(Call call, int n) {
  for (long i = 0; i < (long)p * n; ++i) from[i] = word_of(s, (int)(i / n), n, (int)(i % n));
  for (long i = 0; i < (long)p * n; ++i) to[i] = -1;
  MPI_Barrier(MPI_COMM_WORLD);
  call.exchange(n);
  for (long i = 0; i < (long)p * n; ++i) {
    if (i / n != s && to[i] != word_of((int)(i / n), s, n, (int)(i % n)))
      MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static double measure(Call call, int n, int series, double seconds) {
  double best = 1e30;
  int repeats = 1;
  for (int k = 0; k <= series; ++k) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < repeats; ++i) call.exchange(n);
    const double each = (MPI_Wtime() - start) / repeats;
    if (k == 0) repeats = each > seconds ? 1 : (int)(seconds / each) + 1;
    if (k == 0) MPI_Bcast(&repeats, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (k > 0 && each < best) best = each;
  }
  return best;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &s);
  const int most = argc > 1 ? atoi(argv[1]) : 1 << 14, series = argc > 2 ? atoi(argv[2]) : 3;
  const double seconds = argc > 3 ? atof(argv[3]) : 1e-3;
  const size_t bytes = (size_t)p * (size_t)most * sizeof(double);
  from = calloc(1, bytes);
  requests = malloc(2 * (size_t)p * sizeof *requests);
  MPI_Win_allocate((MPI_Aint)bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &to, &window);
  MPI_Win_fence(0, window);
  for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k) {
    for (int n = 1; n <= most; n *= 4) {
      check(calls[k], n);
      const double time = measure(calls[k], n, series, seconds);
      if (s == 0 && p > 1) printf("g,%s,%d,%.6g\n", calls[k].name, n, time / ((double)n * (p - 1)));
      fflush(stdout);
    }
  }
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
