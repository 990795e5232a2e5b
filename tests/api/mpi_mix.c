/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that uses an MPI and tutti side by side. It calls only functions that both MPIs have.
 * The argument names the case. pending: a large MPI_Isend is in progress during a wait of tutti;
 * early: MPI_Finalize before tutti_finalize; thread: tutti_init in a thread that must not call MPI.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti/tutti.h>

enum { many = 1 << 20 };

static int fail(const char* what) {
  fprintf(stderr, "FAILED: %s (%s)\n", what, tutti_error_text());
  return 1;
}

/* Both ranks of a pair send more than MPI's buffers hold, then meet in a call of tutti, then
 * receive.
 */
static int pending(int rank, int size) {
  static double out[many], in[many];
  for (int i = 0; i < many; ++i) out[i] = rank + i;
  const int to = (rank + 1) % size, from = (rank + size - 1) % size;
  for (int round = 0; round < 5; ++round) {
    MPI_Request sent, received;
    MPI_Isend(out, many, MPI_DOUBLE, to, 7, MPI_COMM_WORLD, &sent);
    if (round % 2 ==
        1) { /* the message is on its way: the receiver waits in MPI, the sender in tutti */
      if (rank % 2 == 0) MPI_Recv(in, many, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (tutti_barrier(tutti_world()) != TUTTI_OK) return fail("barrier");
      if (rank % 2 != 0) MPI_Recv(in, many, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Irecv(in, many, MPI_DOUBLE, from, 7, MPI_COMM_WORLD, &received);
      int64_t sum = rank;
      const tutti_data data = tutti_array(&sum, 1, TUTTI_INT64);
      if (tutti_allreduce(tutti_world(), &data, &data, TUTTI_SUM) != TUTTI_OK)
        return fail("allreduce");
      if (sum != (int64_t)size * (size - 1) / 2) return fail("sum");
      MPI_Wait(&received, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    if (in[many - 1] != from + many - 1) return fail("message");
  }
  return 0;
}

static int early(int rank) {
  char note[100000];
  memset(note, rank, sizeof note);
  const tutti_data data = tutti_array(note, sizeof note, TUTTI_BYTE);
  if (tutti_bcast(tutti_world(), &data, 0) != TUTTI_OK) return fail("broadcast");
  MPI_Finalize();
  if (note[99999] != 0) return fail("broadcast's data");
  if (tutti_size(tutti_world()) > 1) { /* whoever has to wait asks MPI */
    tutti_status status = TUTTI_OK;
    for (int i = 0; i < 10 && status == TUTTI_OK; ++i) {
      status = tutti_receive(tutti_world(), &data, TUTTI_ANY, TUTTI_ANY, NULL, NULL);
    }
    if (status != TUTTI_JOB_ENDED || strstr(tutti_error_text(), "MPI_Finalize") == NULL)
      return fail("error text");
  }
  return 0;
}

static void* init_elsewhere(void* status) {
  *(tutti_status*)status = tutti_init();
  if (strstr(tutti_error_text(), "main thread only") == NULL) *(tutti_status*)status = TUTTI_OK;
  return NULL;
}

static int thread(int rank) {
  pthread_t other;
  tutti_status status = TUTTI_OK;
  pthread_create(&other, NULL, init_elsewhere, &status);
  pthread_join(other, NULL);
  if (status != TUTTI_SYSTEM_ERROR) return fail("tutti_init in another thread is refused");
  if (rank == 0) puts("right");
  MPI_Finalize();
  return 0;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "pending";
  int rank = 0, size = 1, result = 0;
  tutti_errors_return();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (strcmp(what, "thread") == 0) return thread(rank);
  if (tutti_init() != TUTTI_OK) return fail("tutti_init");
  if (rank != tutti_rank(tutti_world()) || size != tutti_size(tutti_world()))
    return fail("the world is another");
  result = strcmp(what, "early") == 0 ? early(rank) : pending(rank, size);
  if (tutti_finalize() != TUTTI_OK) return fail("tutti_finalize");
  if (strcmp(what, "early") != 0) MPI_Finalize();
  if (rank == 0 && result == 0) puts("right");
  return result;
}
