/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tbs and Tg. All processes synchronise, then call the operation several times without a pause.
 * Each takes its own time; node 0 prints the source's, the least, the longest and the average. The
 * result of a call before is checked.
 */
#include "driver/line_time.h"
#include "timing/timing.h"

enum { period = 97 }; /* values of elements repeat after so many */

static double value_of(int i, int rank) {
  return i % period + rank + 1;
}

/* The combination of value_of(i, rank) of all ranks. */
static double combination(const timing_job* job, char op, int i) {
  const int p = job->p;
  if (op == '+') return (double)p * (i % period + 1) + p * (p - 1) / 2;
  return op == '>' ? value_of(i, p - 1) : value_of(i, 0);
}

static void set_values(const timing_job* job, const timing_request* request, int n) {
  const int empty = request->program == timing_tbs && job->me != request->root;
  for (int i = 0; i < n; ++i) job->data[i] = empty ? 0 : value_of(i, job->me);
}

/* Returns true if a maximum or minimum does not come from the last or the first process. */
static int has_wrong_place(const timing_job* job, char op, int i) {
  const int right = op == '>' ? job->p - 1 : 0;
  return job->rows[i] != 0 || job->columns[i] != right;
}

static void check_call(const timing_job* job, const timing_request* request, int n) {
  int wrong = 0;
  set_values(job, request, n);
  if (request->program == timing_tbs) {
    library_broadcast(job, request, n);
    for (int i = 0; i < n; ++i) wrong += job->data[i] != value_of(i, request->root);
  } else {
    for (int i = 0; i < n; ++i) job->rows[i] = job->columns[i] = -1;
    const double* result = library_combine(job, request, n);
    const int has_result = request->root < 0 || job->me == request->root;
    for (int i = 0; i < n && has_result; ++i) {
      wrong += result[i] != combination(job, request->op, i);
      if (library_has_places && request->op != '+') wrong += has_wrong_place(job, request->op, i);
    }
  }
  if (wrong > 0) timing_wrong(job, request->program == timing_tbs ? "a broadcast" : "a combine", n);
}

/* Returns the milliseconds of one call. */
static double time_of(const timing_job* job, const timing_request* request, int n) {
  set_values(job, request, n);
  library_sync();
  const double start = tutti_bench_seconds();
  for (int i = 0; i < request->reps; ++i) {
    if (request->program == timing_tbs)
      library_broadcast(job, request, n);
    else
      library_combine(job, request, n);
  }
  return (tutti_bench_seconds() - start) * 1000 / request->reps;
}

static void print_head(const timing_job* job, const timing_request* request) {
  const char* rule = "===============================================================\n";
  fprintf(job->out, "\n%s", rule);
  fprintf(job->out, "Time in milliseconds for double precision '%s %s' ", library_name,
          request->top == 'p' ? "primitive" : "BLACS");
  if (request->program == timing_tbs)
    fprintf(job->out, "bcast, top='%c',\nnnodes=%d, reps=%d, src=%d", request->top, job->p,
            request->reps, request->root);
  else
    fprintf(job->out, "op='%c', top='%c',\nnnodes=%d, reps=%d, dest=%d", request->op, request->top,
            job->p, request->reps, request->root);
  fprintf(job->out, ", ntests=%d.\n%s\n", timing_lengths(request), rule);
  const char* source = request->program == timing_tbs ? "      SRC TIME" : "";
  const char* line = request->program == timing_tbs ? "      --------" : "";
  fprintf(job->out, "   ELEMENTS%s      MIN TIME      MAX TIME      AVG TIME\n", source);
  fprintf(job->out, "   --------%s      --------      --------      --------\n\n", line);
}

static void measure(const timing_job* job, const timing_request* request, int n) {
  check_call(job, request, n);
  const double mine = time_of(job, request, n);
  const double source = library_combined(job->me == request->root ? mine : 0, '+');
  const double least = library_combined(mine, '<'), longest = library_combined(mine, '>');
  const double average = library_combined(mine, '+') / job->p;
  if (job->me != 0) return;
  fprintf(job->out, "%11d", n);
  if (request->program == timing_tbs) fprintf(job->out, " %13.6f", source);
  fprintf(job->out, " %13.6f %13.6f %13.6f\n", least, longest, average);
}

void timing_scoped(timing_job* job, const timing_request* request) {
  library_prepare(request);
  if (job->me == 0) print_head(job, request);
  for (int n = request->len1; n <= request->lenN; n = timing_next_length(request, n))
    measure(job, request, n);
  if (job->me == 0)
    fprintf(job->out,
            "\n===============================================================\nEnd of Run.\n");
}
