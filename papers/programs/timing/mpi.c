/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The timing programs on an MPI.
 */
#include <mpi.h>

#include "timing/timing.h"

const char* const library_name = "MPI";
const int library_has_places = 0;
enum { message_tag = 1 };

const char* library_refuses(const timing_request* request) {
  const int scoped = request->program == timing_tbs || request->program == timing_tg;
  return scoped && request->top != 'p' ? "MPI has no topologies; TOP must be p" : NULL;
}

void library_start(int wanted, int* me, int* p) {
  (void)wanted;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, me);
  MPI_Comm_size(MPI_COMM_WORLD, p);
}

void library_finish(void) {
  MPI_Finalize();
}

void library_abort(void) {
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void library_sync(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}

void library_send(int to, void* data, int bytes) {
  MPI_Send(data, bytes, MPI_BYTE, to, message_tag, MPI_COMM_WORLD);
}

void library_receive(int from, void* data, int bytes) {
  MPI_Recv(data, bytes, MPI_BYTE, from, message_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void library_prepare(const timing_request* request) {
  (void)request;
}

void library_broadcast(const timing_job* job, const timing_request* request, int n) {
  MPI_Bcast(job->data, n, MPI_DOUBLE, request->root, MPI_COMM_WORLD);
}

static MPI_Op operation(char op) {
  return op == '+' ? MPI_SUM : op == '>' ? MPI_MAX : MPI_MIN;
}

const double* library_combine(const timing_job* job, const timing_request* request, int n) {
  if (request->root < 0)
    MPI_Allreduce(job->data, job->work, n, MPI_DOUBLE, operation(request->op), MPI_COMM_WORLD);
  else
    MPI_Reduce(job->data, job->work, n, MPI_DOUBLE, operation(request->op), request->root,
               MPI_COMM_WORLD);
  return job->work;
}

double library_combined(double mine, char op) {
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, operation(op), MPI_COMM_WORLD);
  return all;
}
