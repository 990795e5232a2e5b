/* SPDX-License-Identifier: BSD-3-Clause
 * A program with a session of MPI 4 and without MPI_Init. It prints "right" once. */
#include <mpi.h>
#include <stdio.h>

int main(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int one = 1, sum = 0, rank, size;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "peer", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int turn = 0; turn < 20; ++turn) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  if (rank == 0) printf("%s\n", sum == size ? "right" : "WRONG");
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  return sum != size;
}
