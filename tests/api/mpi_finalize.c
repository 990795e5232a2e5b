/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job of an MPI in which rank 1 aborts after the others have left. These must not be in
 * MPI_Finalize then: they say so if they are, and mpi.py looks for it. With the argument "send",
 * rank 0 leaves instead while a message that it has begun to send is under way to rank 1.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before it waits for anybody. */
static int tell(MPI_Comm comm, int key, void* attribute, void* extra) {
  (void)comm, (void)key, (void)attribute, (void)extra;
  fprintf(stderr, "a process is in MPI_Finalize\n");
  return MPI_SUCCESS;
}

static const struct timespec until_the_others_have_left = {0, 300 * 1000 * 1000};

static int send(void) {
  enum { bytes = 8 << 20 };
  static char data[bytes];
  MPI_Request request;
  if (tutti_rank(tutti_world()) == 0) {
    data[bytes - 1] = 'x';
    MPI_Isend(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  } else if (tutti_rank(tutti_world()) == 1) {
    nanosleep(&until_the_others_have_left, NULL);
    MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (data[bytes - 1] == 'x') puts("right");
  }
  return tutti_finalize();
}

int main(int argc, char** argv) {
  int key = 0;
  if (tutti_init() != TUTTI_OK) return 1;
  if (argc > 1 && strcmp(argv[1], "send") == 0) return send();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, tell, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  if (tutti_rank(tutti_world()) != 1) return tutti_finalize();
  nanosleep(&until_the_others_have_left, NULL);
  tutti_abort(7, "the others have left");
}
