/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of MPI that `tutti mpi` starts, for bench_mpi_programs.py. It calls tutti by the names
 * of MPI and the MPI itself by its names for profiling, in turns, so both meet the same machine.
 * Arguments: ROUNDS MICROSECONDS SIZES, such as 12 1000 8,512,32768. Rank 0 prints lines: what, the
 * times of tutti and of the MPI in microseconds, median of the rounds.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tutti/tutti_mpi_measure.h>
#include "tutti/tutti.h"
#include "tutti/tutti_runtime.h"

enum { most_rounds = 64, most_cells = 512, rewritten_from = 32768 };

typedef struct {
  const char* operation;
  int has_sizes;
} operation;

/* The nine operations, and the irregular forms. */
static const operation operations[] = {
    {"barrier", 0},   {"bcast", 1},    {"reduce", 1},
    {"allreduce", 1}, {"gather", 1},   {"scatter", 1},
    {"allgather", 1}, {"alltoall", 1}, {"reduce_scatter_block", 1},
    {"gatherv", 1},   {"scatterv", 1}, {"allgatherv", 1},
    {"alltoallv", 1}, {"alltoallw", 1}};

static int rank, size, rounds;
static double block_us;

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(const double* values, int count) {
  double sorted[most_rounds];
  memcpy(sorted, values, (size_t)count * sizeof *values);
  qsort(sorted, (size_t)count, sizeof *sorted, ascending);
  return sorted[count / 2];
}

static void print(const char* what, const char* how, long long bytes, double ours, double theirs) {
  if (rank == 0) printf("%s %s %lld %.4f %.4f\n", what, how, bytes, ours, theirs);
  fflush(stdout);
}

/* ---- cells ---- */

typedef struct {
  const tutti_mpi_cell* cells;
  const char* how;
} printed;

static void print_cell(void* user, int cell, int count, const double* ours, const double* theirs) {
  const printed* const all = user;
  print(all->cells[cell].operation, all->how, (long long)all->cells[cell].bytes,
        median(ours, count), median(theirs, count));
}

static int cells_of(tutti_mpi_cell* cells, char* sizes, long least) {
  char list[256];
  int count = 0;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    snprintf(list, sizeof list, "%s", sizes);
    char* rest = NULL;
    for (char* word = strtok_r(list, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
      const long bytes = operations[i].has_sizes ? atol(word) : 0;
      if ((bytes >= least || (least == 0 && bytes == 0)) && count < most_cells)
        cells[count++] = (tutti_mpi_cell){operations[i].operation, 0, bytes};
      if (bytes == 0) break;
    }
  }
  /* The result of an allgatherv is as long as that of the allgather beside it. */
  for (int i = 0; i < count; ++i) {
    if (strcmp(cells[i].operation, "allgatherv") == 0 ||
        strcmp(cells[i].operation, "reduce_scatter_block") == 0)
      cells[i].bytes *= size;
  }
  return count;
}

static int measure_cells(char* sizes) {
  static tutti_mpi_cell cells[most_cells];
  void* const found = dlsym(RTLD_DEFAULT, TUTTI_MPI_MEASURE);
  tutti_mpi_measure_fn measure = NULL;
  memcpy(&measure, &found, sizeof measure);
  if (measure == NULL) return 1;
  for (int rewritten = 0; rewritten < 2; ++rewritten) {
    const int count = cells_of(cells, sizes, rewritten ? rewritten_from : 0);
    printed all = {cells, rewritten ? "rewritten" : "clean"};
    const tutti_mpi_measurement how = {size, rounds, block_us, 1, rewritten, 1};
    if (measure(&how, count, cells, print_cell, &all) != 0) return 1;
  }
  return 0;
}

/* ---- loops, each of `turns` calls, that return microseconds of a call ---- */

typedef double (*loop)(int by_name_of_mpi, int turns);

/* Makes both kinds of a loop in turns. */
static void compare(const char* what, loop run, int turns) {
  double ours[most_rounds], theirs[most_rounds];
  run(1, turns); /* makes plans and connections */
  run(0, turns);
  for (int i = 0; i < rounds; ++i) {
    const int first = i % 2;
    for (int side = 0; side < 2; ++side) {
      const int our_turn = (side + first) % 2 == 0;
      const double us = run(our_turn, turns);
      double slowest = 0;
      PMPI_Allreduce(&us, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      (our_turn ? ours : theirs)[i] = slowest;
    }
  }
  print(what, "-", turns, median(ours, rounds), median(theirs, rounds));
}

static double since(double start, int turns) {
  return (MPI_Wtime() - start) * 1e6 / turns;
}

/* The same collective by the name of MPI, and by tutti's own function. */
static tutti_status (*own_barrier)(tutti_group);
static tutti_status (*own_allreduce)(tutti_group, const tutti_data*, const tutti_data*, tutti_op);
static tutti_group (*own_world)(void);

static int find_own(void) {
  void* const file = dlopen("libtutti.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (file == NULL) return 0;
  void* found = dlsym(file, "tutti_barrier");
  memcpy(&own_barrier, &found, sizeof found);
  found = dlsym(file, "tutti_allreduce");
  memcpy(&own_allreduce, &found, sizeof found);
  found = dlsym(file, "tutti_world");
  memcpy(&own_world, &found, sizeof found);
  return own_barrier != NULL && own_allreduce != NULL && own_world != NULL;
}

static double barriers(int by_name_of_mpi, int turns) {
  const tutti_group world = own_world();
  const double start = MPI_Wtime();
  for (int i = 0; i < turns; ++i) {
    if (by_name_of_mpi)
      MPI_Barrier(MPI_COMM_WORLD);
    else
      own_barrier(world);
  }
  return since(start, turns);
}

static double allreduces(int by_name_of_mpi, int turns) {
  const tutti_group world = own_world();
  double mine = rank, all = 0;
  const tutti_data in = tutti_array(&mine, 1, TUTTI_DOUBLE),
                   out = tutti_array(&all, 1, TUTTI_DOUBLE);
  const double start = MPI_Wtime();
  for (int i = 0; i < turns; ++i) {
    if (by_name_of_mpi)
      MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else
      own_allreduce(world, &in, &out, TUTTI_SUM);
  }
  return since(start, turns);
}

/* A communicator that lives for one collective. */
static double dups(int by_name_of_mpi, int turns) {
  double mine = rank, all = 0;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < turns; ++i) {
    MPI_Comm copy = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (by_name_of_mpi)
      MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, copy);
    else
      PMPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, copy);
    PMPI_Comm_free(&copy);
  }
  return since(start, turns);
}

static void wait_for_all(int by_name_of_mpi) {
  if (by_name_of_mpi)
    MPI_Barrier(MPI_COMM_WORLD);
  else
    PMPI_Barrier(MPI_COMM_WORLD);
}

/* The last rank writes into the memory of rank 0, which waits with all others in a barrier. */
static MPI_Win window;
static double puts_beside(int by_name_of_mpi, int turns) {
  const int value = rank;
  PMPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == size - 1) {
    for (int i = 0; i < turns; ++i) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
      MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
      MPI_Win_unlock(0, window);
    }
  }
  wait_for_all(by_name_of_mpi);
  return since(start, turns);
}

/* The last rank receives a long message whose sender waits with all others in a barrier. */
static double message_beside(int by_name_of_mpi, int turns) {
  enum { bytes = 16 << 20 };
  static char* data = NULL;
  if (data == NULL) data = calloc(1, bytes);
  PMPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int i = 0; i < turns; ++i) {
    MPI_Request sent = MPI_REQUEST_NULL;
    if (rank == 0) MPI_Isend(data, bytes, MPI_BYTE, size - 1, 7, MPI_COMM_WORLD, &sent);
    if (rank == size - 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    wait_for_all(by_name_of_mpi);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
  }
  return since(start, turns);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 4) {
    if (rank == 0) fprintf(stderr, "usage: %s ROUNDS MICROSECONDS SIZES\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  rounds = atoi(argv[1]) < most_rounds ? atoi(argv[1]) : most_rounds;
  block_us = atof(argv[2]);
  MPI_Barrier(MPI_COMM_WORLD); /* the first collective makes tutti's group */
  if (!find_own() || measure_cells(argv[3]) != 0) {
    if (rank == 0) fprintf(stderr, "%s: tutti does not serve this program\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  compare("own_barrier", barriers, size > 2 ? 100 : 2000);
  compare("own_allreduce", allreduces, size > 2 ? 100 : 2000);
  compare("dup_allreduce_free", dups, size > 2 ? 10 : 100);
  int* memory = NULL;
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  compare("puts_beside", puts_beside, 50);
  MPI_Win_free(&window);
  compare("message_beside", message_beside, 2);
  MPI_Finalize();
  return 0;
}
