/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job of an MPI in which rank 1 aborts after the others have left. These must not be in
 * MPI_Finalize then: they say so if they are, and mpi.py looks for it. With the argument "send",
 * rank 0 leaves instead while a message that it has begun to send is under way to rank 1. With
 * "full", the others leave while they cannot open a file, and rank 1 leaves, too.
 *
 * With BLACS, the others leave by BLACS_EXIT. The argument "own" lets the program begin MPI. With
 * "stubborn", the launcher needs a while to end them.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>
#ifdef BLACS
#include <tutti-blacs/tutti_blacs.h>
#endif

static int begin(int argc, char** argv, const char* way) {
#ifdef BLACS
  int me = 0, n = 0;
  if (strcmp(way, "own") == 0) MPI_Init(&argc, &argv);
  Cblacs_pinfo(&me, &n);
  return TUTTI_OK;
#else
  (void)argc, (void)argv, (void)way;
  return tutti_init();
#endif
}

static int leave(void) {
#ifdef BLACS
  Cblacs_exit(0);
  return TUTTI_OK;
#else
  return tutti_finalize();
#endif
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF before it waits for anybody. */
static int tell(MPI_Comm comm, int key, void* attribute, void* extra) {
  (void)comm, (void)key, (void)attribute, (void)extra;
  fprintf(stderr, "a process is in MPI_Finalize\n");
  return MPI_SUCCESS;
}

/* Returns some time after all others have left tutti. */
static void await_the_others(void) {
  static const struct timespec moment = {0, 1000 * 1000}, a_while = {0, 300 * 1000 * 1000};
  const tutti_group world = tutti_world();
  for (int rank = 0; rank < tutti_size(world); rank++) {
    const int other = tutti_endpoint(world, rank);
    while (rank != tutti_rank(world) && tutti_present(other)) nanosleep(&moment, NULL);
  }
  nanosleep(&a_while, NULL);
}

static int send(void) {
  enum { bytes = 8 << 20 };
  static char data[bytes];
  MPI_Request request;
  if (tutti_rank(tutti_world()) == 0) {
    data[bytes - 1] = 'x';
    MPI_Isend(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  } else if (tutti_rank(tutti_world()) == 1) {
    await_the_others();
    MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (data[bytes - 1] == 'x') puts("right");
  }
  return leave();
}

/* A process that cannot ask whether another one lives must not take it for dead. */
static int leave_without_descriptors(void) {
  if (tutti_rank(tutti_world()) != 1) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 200;
    setrlimit(RLIMIT_NOFILE, &limit);
    while (dup(STDERR_FILENO) >= 0) continue;
  } else {
    await_the_others();
    puts("right");
  }
  return leave();
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  int key = 0;
  if (begin(argc, argv, way) != TUTTI_OK) return 1;
  if (strcmp(way, "send") == 0) return send();
  if (strcmp(way, "full") == 0) return leave_without_descriptors();
  if (strcmp(way, "stubborn") == 0) signal(SIGTERM, SIG_IGN);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, tell, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  if (tutti_rank(tutti_world()) != 1) return leave();
  await_the_others();
  tutti_abort(7, "the others have left");
}
