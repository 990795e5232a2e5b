/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job of an MPI in which rank 1 aborts after the others have left. These must not be in
 * MPI_Finalize then: they say so if they are, and mpi.py looks for it.
 */
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <tutti/tutti.h>

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before it waits for anybody. */
static int tell(MPI_Comm comm, int key, void* attribute, void* extra) {
  (void)comm, (void)key, (void)attribute, (void)extra;
  fprintf(stderr, "a process is in MPI_Finalize\n");
  return MPI_SUCCESS;
}

int main(void) {
  const struct timespec until_the_others_have_left = {0, 300 * 1000 * 1000};
  int key = 0;
  if (tutti_init() != TUTTI_OK) return 1;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, tell, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  if (tutti_rank(tutti_world()) != 1) return tutti_finalize();
  nanosleep(&until_the_others_have_left, NULL);
  tutti_abort(7, "the others have left");
}
