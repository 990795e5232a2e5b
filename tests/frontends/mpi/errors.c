/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls collectives with wrong arguments on all ranks, each also by its PMPI name, and compares the
 * classes of the errors. Logical operators may have types or not. There are no negative counts in
 * reductions, of which MPICH 4.0.2 dies. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int wrong = 0, rank = 0;

static int class_of(int code) {
  int result = 0;
  MPI_Error_class(code, &result);
  return result;
}

static void compare_any(const char* what, int ours, int theirs) {
  if (class_of(ours) == class_of(theirs)) return;
  ++wrong;
  printf("rank %d: %s gives class %d, and %d without tutti\n", rank, what, class_of(ours),
         class_of(theirs));
}

static void compare(const char* what, int ours, int theirs) {
  if (ours == MPI_SUCCESS) {
    ++wrong;
    printf("rank %d: %s is no error\n", rank, what);
  }
  compare_any(what, ours, theirs);
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

/* MPIs differ in which integers of Fortran have logical operators. */
static void logical_operators(MPI_Comm comm) {
  const MPI_Op ops[] = {MPI_LAND, MPI_LOR, MPI_LXOR};
  const MPI_Datatype types[] = {MPI_INT,      MPI_LONG,     MPI_SIGNED_CHAR, MPI_UINT64_T,
                                MPI_INTEGER,  MPI_INTEGER1, MPI_INTEGER2,    MPI_INTEGER4,
                                MPI_INTEGER8, MPI_LOGICAL,  MPI_C_BOOL,      MPI_AINT};
  for (int t = 0; t < (int)(sizeof types / sizeof *types); ++t) {
    for (int o = 0; o < 3; ++o) {
      char name[MPI_MAX_OBJECT_NAME], x[16] = {1}, ours[16] = {0}, theirs[16] = {0};
      int length = 0;
      if (types[t] == MPI_DATATYPE_NULL) continue;
      MPI_Type_get_name(types[t], name, &length);
      compare_any(name, MPI_Allreduce(x, ours, 1, types[t], ops[o], comm),
                  PMPI_Allreduce(x, theirs, 1, types[t], ops[o], comm));
      if (memcmp(ours, theirs, sizeof ours) == 0) continue;
      ++wrong;
      printf("rank %d: another result of %s\n", rank, name);
    }
  }
}

static void keep_right(void* left, void* right, int* count, MPI_Datatype* type) {
  (void)left, (void)right, (void)count, (void)type;
}

/* An integer that lies behind the extent of its type. The MPI serves it, and tutti says why. */
static void outside_extent(MPI_Comm comm) {
  const int length = 1;
  const MPI_Aint place = 8;
  int x[8] = {0}, ours[8] = {0}, theirs[8] = {0};
  MPI_Datatype behind, type;
  MPI_Op op;
  MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &behind);
  MPI_Type_create_resized(behind, 0, 4, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(keep_right, 1, &op);
  compare_any("data outside the extent", MPI_Allreduce(x, ours, 2, type, op, comm),
              PMPI_Allreduce(x, theirs, 2, type, op, comm));
  MPI_Op_free(&op);
  MPI_Type_free(&type);
  MPI_Type_free(&behind);
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
  logical_operators(comm);
  outside_extent(comm);
  moves(comm);
  MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, comm);
  if (rank == 0) printf("%s: classes of errors\n", all == 0 ? "right" : "WRONG");
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
