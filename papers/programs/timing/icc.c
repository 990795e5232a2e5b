/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The timing programs on iCC, which has broadcasts and combines but no messages.
 */
#include <icc.h>

#include "timing/timing.h"

const char* const library_name = "iCC";
const int library_has_places = 0;

const char* library_refuses(const timing_request* request) {
  if (request->program == timing_tc || request->program == timing_ts)
    return "iCC has no messages between two processes";
  return request->top == 'p' ? NULL : "iCC has no topologies; TOP must be p";
}

void library_start(int wanted, int* me, int* p) {
  (void)wanted;
  iCC_initialize();
  *me = tutti_rank(tutti_world());
  *p = tutti_size(tutti_world());
}

void library_finish(void) {}

void library_abort(void) {
  tutti_abort(1, "the timing program cannot go on");
}

void library_sync(void) {
  iCC_gsync();
}

void library_send(int to, void* data, int bytes) {
  (void)to, (void)data, (void)bytes;
}

void library_receive(int from, void* data, int bytes) {
  (void)from, (void)data, (void)bytes;
}

void library_prepare(const timing_request* request) {
  (void)request;
}

void library_broadcast(const timing_job* job, const timing_request* request, int n) {
  iCC_bcast(job->data, (long)n * (long)sizeof(double), request->root);
}

static void combine(double* data, double* work, int n, char op) {
  if (op == '+')
    iCC_gdsum(data, n, work);
  else if (op == '>')
    iCC_gdhigh(data, n, work);
  else
    iCC_gdlow(data, n, work);
}

const double* library_combine(const timing_job* job, const timing_request* request, int n) {
  if (request->root < 0)
    combine(job->data, job->work, n, request->op);
  else if (request->op == '+')
    iCC_gdsum_one(job->data, n, job->work, request->root);
  else if (request->op == '>')
    iCC_gdhigh_one(job->data, n, job->work, request->root);
  else
    iCC_gdlow_one(job->data, n, job->work, request->root);
  return job->data;
}

double library_combined(double mine, char op) {
  double work;
  combine(&mine, &work, 1, op);
  return mine;
}
