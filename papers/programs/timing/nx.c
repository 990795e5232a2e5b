/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The timing programs on NX: csend and crecv, csend to all nodes, and the global operations, which
 * leave their result on all nodes.
 */
#include <nx.h>
#include <tutti/tutti.h>

#include "timing/timing.h"

const char* const library_name = "NX";
const int library_has_places = 0;
enum { message_type = 1, broadcast_type = 2 };

const char* library_refuses(const timing_request* request) {
  const int scoped = request->program == timing_tbs || request->program == timing_tg;
  if (scoped && request->top != 'p') return "NX has no topologies; TOP must be p";
  if (request->program == timing_tg && request->root >= 0)
    return "NX leaves combines on all nodes; the destination must be -1";
  return NULL;
}

/* An NX program that was started by hand has the nodes that its own options ask for. */
void library_start(int wanted, int* me, int* p) {
  (void)wanted;
  *me = (int)mynode();
  *p = (int)numnodes();
}

void library_finish(void) {}

void library_abort(void) {
  tutti_abort(1, "the timing program cannot go on");
}

void library_sync(void) {
  gsync();
}

void library_send(int to, void* data, int bytes) {
  csend(message_type, data, bytes, to, 0);
}

void library_receive(int from, void* data, int bytes) {
  (void)from; /* there is only one sender */
  crecv(message_type, data, bytes);
}

void library_prepare(const timing_request* request) {
  (void)request;
}

void library_broadcast(const timing_job* job, const timing_request* request, int n) {
  const long bytes = (long)n * (long)sizeof(double);
  if (job->me == request->root)
    csend(broadcast_type, job->data, bytes, -1, 0);
  else
    crecv(broadcast_type, job->data, bytes);
}

static void combine(double* data, double* work, int n, char op) {
  if (op == '+')
    gdsum(data, n, work);
  else if (op == '>')
    gdhigh(data, n, work);
  else
    gdlow(data, n, work);
}

const double* library_combine(const timing_job* job, const timing_request* request, int n) {
  combine(job->data, job->work, n, request->op);
  return job->data;
}

double library_combined(double mine, char op) {
  double work;
  combine(&mine, &work, 1, op);
  return mine;
}
