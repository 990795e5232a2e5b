/* SPDX-License-Identifier: BSD-3-Clause
 *
 * threads CALLS: two threads of each rank make collective calls at the same time, each in a
 * communicator of its own. On even ranks the second thread begins late, on odd ranks the first, so
 * that the threads of the ranks meet in different orders. At the end both threads use one type for
 * the first time at once, again and again. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int calls = 100, rank = 0, size = 1;
static int wrong[2];
static MPI_Datatype* new_types;
static pthread_barrier_t both;

struct Work {
  MPI_Comm comm;
  int number;
};

static void* work(void* argument) {
  const struct Work* mine = argument;
  if (rank % 2 != mine->number) usleep(20000);
  for (int i = 0; i < calls; ++i) {
    int sum = 0, given = i + rank * (mine->number + 1);
    MPI_Allreduce(&given, &sum, 1, MPI_INT, MPI_SUM, mine->comm);
    if (sum != i * size + (mine->number + 1) * size * (size - 1) / 2) ++wrong[mine->number];
    int told = rank == i % size ? i : -1;
    MPI_Bcast(&told, 1, MPI_INT, i % size, mine->comm);
    if (told != i) ++wrong[mine->number];
    MPI_Barrier(mine->comm);
  }
  for (int i = 0; i < calls; ++i) {
    int told = rank == 0 ? i : -1;
    pthread_barrier_wait(&both);
    MPI_Bcast(&told, 1, new_types[i], 0, mine->comm);
    if (told != i) ++wrong[mine->number];
  }
  return NULL;
}

static void make_types(void) {
  new_types = malloc((size_t)calls * sizeof *new_types);
  for (int i = 0; i < calls; ++i) {
    MPI_Type_contiguous(1, MPI_INT, &new_types[i]);
    MPI_Type_commit(&new_types[i]);
  }
}

static void free_types(void) {
  for (int i = 0; i < calls; ++i) MPI_Type_free(&new_types[i]);
  free(new_types);
}

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (argc > 1) calls = atoi(argv[1]);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  make_types();
  pthread_barrier_init(&both, NULL, 2);
  pthread_t threads[2];
  struct Work works[2];
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].comm);
    works[i].number = i;
  }
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &works[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&works[i].comm);
  free_types();
  if (provided != MPI_THREAD_MULTIPLE || wrong[0] + wrong[1] != 0) {
    printf("WRONG on rank %d: level %d, %d and %d results\n", rank, provided, wrong[0], wrong[1]);
  } else if (rank == 0) {
    printf("right: two threads, %d calls each\n", 4 * calls);
  }
  MPI_Finalize();
  return 0;
}
