/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The timing programs on the BLACS 1.0 of 1994, as appendix D has them. The grid has one row, so
 * the column is the process.
 */
#include <tutti-blacs94/tutti_blacs94.h>

#include <stdlib.h>

#include "timing/timing.h"

const char* const library_name = "BLACS 1.0";
const int library_has_places = 1;
static const int zero = 0, one = 1, everyone = -1;
static int processes;

const char* library_refuses(const timing_request* request) {
  (void)request;
  return NULL;
}

void library_start(int wanted, int* me, int* p) {
  initpinfo(me, p);
  if (*p < 1) *p = wanted;
  processes = *p;
  if (*p < 1) return;
  auxsetup(me, p);
  blacsinit(&one, p);
}

void library_finish(void) {
  if (processes > 0) blacsexit(&zero);
}

/* BLACS 1.0 has no abort. An exit code that is not 0 ends the job. */
void library_abort(void) {
  exit(1);
}

void library_sync(void) {
  barrier("All");
}

static int leading(int m) {
  return m > 0 ? m : 1;
}

void library_send(int to, void* data, int bytes) {
  const int m = bytes / (int)sizeof(float), lda = leading(m);
  sgesd2d(&m, &one, data, &lda, &zero, &to);
}

void library_receive(int from, void* data, int bytes) {
  const int m = bytes / (int)sizeof(float), lda = leading(m);
  int row = 0;
  sgerv2d(&m, &one, data, &lda, &row, &from);
}

void library_prepare(const timing_request* request) {
  if (request->branches > 0) setbranches(&request->branches);
}

void library_broadcast(const timing_job* job, const timing_request* request, int n) {
  const char top[2] = {request->top, '\0'};
  const int lda = leading(n);
  if (job->me == request->root)
    dgebs2d("All", top, &n, &one, job->data, &lda);
  else
    dgebr2d("All", top, &n, &one, job->data, &lda, &zero, &request->root);
}

static void combine(double* a, int* rows, int* columns, const char* top, int n, char op, int to) {
  const int lda = leading(n);
  const int* row = to < 0 ? &everyone : &zero;
  if (op == '+')
    dgsum2d("All", top, &n, &one, a, &lda, row, &to);
  else if (op == '>')
    dgmax2d("All", top, &n, &one, a, &lda, rows, columns, &lda, row, &to);
  else
    dgmin2d("All", top, &n, &one, a, &lda, rows, columns, &lda, row, &to);
}

const double* library_combine(const timing_job* job, const timing_request* request, int n) {
  const char top[2] = {request->top, '\0'};
  combine(job->data, job->rows, job->columns, top, n, request->op, request->root);
  return job->data;
}

double library_combined(double mine, char op) {
  int row, column;
  combine(&mine, &row, &column, "1", 1, op, -1);
  return mine;
}
