/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The timing programs on the BLACS 1.1. The grid has one row, so the column is the process.
 */
#include <tutti-blacs/tutti_blacs.h>

#include "timing/timing.h"

const char* const library_name = "BLACS 1.1";
const int library_has_places = 1;
enum { broadcast_rings = 11, broadcast_branches = 12, combine_rings = 13, combine_branches = 14 };
static int context = -1;

const char* library_refuses(const timing_request* request) {
  (void)request;
  return NULL;
}

void library_start(int wanted, int* me, int* p) {
  Cblacs_pinfo(me, p);
  if (*p < 1 && wanted > 0) {
    *p = wanted;
    Cblacs_setup(me, p);
  }
  if (*p < 1) return;
  Cblacs_get(0, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, *p);
}

void library_finish(void) {
  if (context >= 0) Cblacs_exit(0);
}

void library_abort(void) {
  Cblacs_abort(context, 1);
}

void library_sync(void) {
  Cblacs_barrier(context, "All");
}

static int leading(int m) {
  return m > 0 ? m : 1;
}

void library_send(int to, void* data, int bytes) {
  const int m = bytes / (int)sizeof(float);
  Csgesd2d(context, m, 1, data, leading(m), 0, to);
}

void library_receive(int from, void* data, int bytes) {
  const int m = bytes / (int)sizeof(float);
  Csgerv2d(context, m, 1, data, leading(m), 0, from);
}

void library_prepare(const timing_request* request) {
  int number = request->branches;
  if (number == 0) return;
  const int rings = request->top == 'm';
  if (request->program == timing_tbs)
    Cblacs_set(context, rings ? broadcast_rings : broadcast_branches, &number);
  else
    Cblacs_set(context, rings ? combine_rings : combine_branches, &number);
}

void library_broadcast(const timing_job* job, const timing_request* request, int n) {
  char top[2] = {request->top, '\0'};
  if (job->me == request->root)
    Cdgebs2d(context, "All", top, n, 1, job->data, leading(n));
  else
    Cdgebr2d(context, "All", top, n, 1, job->data, leading(n), 0, request->root);
}

const double* library_combine(const timing_job* job, const timing_request* request, int n) {
  char top[2] = {request->top, '\0'};
  const int row = request->root < 0 ? -1 : 0;
  double* a = job->data;
  const int lda = leading(n);
  if (request->op == '+')
    Cdgsum2d(context, "All", top, n, 1, a, lda, row, request->root);
  else if (request->op == '>')
    Cdgamx2d(context, "All", top, n, 1, a, lda, job->rows, job->columns, lda, row, request->root);
  else
    Cdgamn2d(context, "All", top, n, 1, a, lda, job->rows, job->columns, lda, row, request->root);
  return a;
}

double library_combined(double mine, char op) {
  if (op == '+')
    Cdgsum2d(context, "All", " ", 1, 1, &mine, 1, -1, -1);
  else if (op == '>')
    Cdgamx2d(context, "All", " ", 1, 1, &mine, 1, NULL, NULL, -1, -1, -1);
  else
    Cdgamn2d(context, "All", " ", 1, 1, &mine, 1, NULL, NULL, -1, -1, -1);
  return mine;
}
