/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls collectives with wrong arguments on all ranks, each also by its PMPI name, and compares the
 * classes of the errors. There are no negative counts in reductions, of which MPICH 4.0.2 dies. */
#include <mpi.h>
#include <stdio.h>

static int wrong = 0, rank = 0;

static void compare(const char* what, int ours, int theirs) {
  int our_class = 0, their_class = 0;
  MPI_Error_class(ours, &our_class);
  MPI_Error_class(theirs, &their_class);
  if (our_class == their_class && ours != MPI_SUCCESS) return;
  ++wrong;
  printf("rank %d: %s gives class %d, and %d without tutti\n", rank, what, our_class, their_class);
}

#define COMPARE(what, call) compare(what, MPI_##call, P##MPI_##call)

static void reductions(MPI_Comm comm) {
  double x[2] = {1, 2}, y[2];
  COMPARE("bits of doubles", Allreduce(x, y, 2, MPI_DOUBLE, MPI_BAND, comm));
  COMPARE("a maximum with place of doubles", Allreduce(x, y, 2, MPI_DOUBLE, MPI_MAXLOC, comm));
  COMPARE("no operator", Allreduce(x, y, 2, MPI_DOUBLE, MPI_OP_NULL, comm));
  COMPARE("a root that is none", Reduce(x, y, 2, MPI_DOUBLE, MPI_SUM, 99, comm));
  COMPARE("no type", Scan(x, y, 2, MPI_DATATYPE_NULL, MPI_SUM, comm));
}

static void moves(MPI_Comm comm) {
  int data[64] = {0};
  MPI_Datatype raw;
  MPI_Type_contiguous(2, MPI_INT, &raw);
  COMPARE("a type that was not committed", Bcast(data, 1, raw, 0, comm));
  COMPARE("a negative root", Bcast(data, 1, MPI_INT, -5, comm));
  COMPARE("a negative count", Bcast(data, -1, MPI_INT, 0, comm));
  COMPARE("no type", Bcast(data, 1, MPI_DATATYPE_NULL, 0, comm));
  COMPARE("no type to receive", Allgather(data, 1, MPI_INT, data + 8, 1, MPI_DATATYPE_NULL, comm));
  COMPARE("no communicator", Barrier(MPI_COMM_NULL));
  MPI_Type_free(&raw);
}

int main(int argc, char** argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = 0; i < 4; ++i) MPI_Barrier(comm);
  reductions(comm);
  moves(comm);
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, comm);
  if (rank == 0) printf("%s: classes of errors\n", all == 0 ? "right" : "WRONG");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
