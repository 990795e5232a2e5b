/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests programs of MPI in which only a part of the processes uses the BLACS. In every round a
 * random part makes a grid of its own, while the others go on to the next round in which they are
 * needed. Usage: under an MPI launcher: parts START SEED ROUNDS, where START says which function
 * initialises MPI: c, thread, fortran or f08.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti-blacs/tutti_blacs.h>

/* Fortran's names of MPI_Init; an MPI whose Fortran calls MPI_Init has none of them here. */
extern void mpi_init_(MPI_Fint* error) __attribute__((weak));
extern void mpi_init_f08_(MPI_Fint* error) __attribute__((weak));

static void start(int argc, char** argv) {
  MPI_Fint error = 0;
  int provided = 0;
  if (strcmp(argv[1], "thread") == 0) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  } else if (strcmp(argv[1], "fortran") == 0 && mpi_init_ != NULL) {
    mpi_init_(&error);
  } else if (strcmp(argv[1], "f08") == 0 && mpi_init_f08_ != NULL) {
    mpi_init_f08_(NULL);
  } else {
    MPI_Init(&argc, &argv);
  }
}

/* Returns 1 if the part's grid works. All processes call this, those outside with MPI_COMM_NULL. */
static int use(MPI_Comm part, int me) {
  if (part == MPI_COMM_NULL) return 1;
  int size, rank, sum = 1, handle, relation, sender;
  MPI_Comm_size(part, &size);
  MPI_Comm_rank(part, &rank);
  int context = Csys2blacs_handle(part);
  Cblacs_gridinit(&context, "Row", 1, size);
  Cigsum2d(context, "All", " ", 1, 1, &sum, 1, -1, -1);
  Cblacs_get(context, 10, &handle);
  MPI_Comm_compare(Cblacs2sys_handle(handle), part, &relation);
  Cigesd2d(context, 1, 1, &me, 1, 0, (rank + 1) % size);
  Cigerv2d(context, 1, 1, &sender, 1, 0, (rank + size - 1) % size);
  Cblacs_gridexit(context);
  MPI_Bcast(&sender, 1, MPI_INT, 0, part);
  return sum == size && relation == MPI_CONGRUENT;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  start(argc, argv);
  int me, p, good = 1, all_good = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  srand((unsigned)atoi(argv[2]));
  for (int round = 0; round < atoi(argv[3]); ++round) {
    int takes_part = 0;
    for (int rank = 0; rank < p; ++rank) {
      const int chosen = rand() / 7 % 2;
      if (rank == me) takes_part = chosen;
    }
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, me, &part);
    good = use(part, me) && good;
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  }
  MPI_Reduce(&good, &all_good, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (me == 0) printf("%d wrong\n", !all_good);
  MPI_Finalize();
  return 0;
}
