/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The main program of the timing programs. An error is one line of one process, and the exit code
 * is 2 for wrong arguments and 1 for wrong results.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "timing/timing.h"

static int is_for_messages(const timing_request* request) {
  return request->program == timing_tc || request->program == timing_ts;
}

/* Returns how many processes the arguments need at least. */
static int processes_of(const timing_request* request) {
  int most = request->root;
  for (int i = 0; i < request->receiver_count; ++i)
    if (request->receivers[i] > most) most = request->receivers[i];
  return most + 1;
}

void timing_wrong(const timing_job* job, const char* what, int length) {
  fprintf(stderr, "timing %s: process %d of %d got wrong data in %s of length %d\n", library_name,
          job->me, job->p, what, length);
  library_abort();
}

static const char* open_output(timing_job* job, const timing_request* request) {
  job->out = stdout;
  if (job->me != (is_for_messages(request) ? request->root : 0)) return NULL;
  if (strcmp(request->outfile, "stderr") == 0) job->out = stderr;
  if (job->out == stderr || strcmp(request->outfile, "stdout") == 0) return NULL;
  FILE* file = fopen(request->outfile, "w");
  if (file == NULL) return strerror(errno);
  job->out = file;
  return NULL;
}

static const char* get_memory(timing_job* job, const timing_request* request) {
  const size_t count = is_for_messages(request) ? (size_t)request->lenN / sizeof(double) + 1
                                                : (size_t)request->lenN + 1;
  job->data = calloc(count, sizeof(double));
  if (is_for_messages(request)) return job->data == NULL ? "there is no memory" : NULL;
  job->work = calloc(count, sizeof(double));
  job->rows = calloc(count, sizeof(int));
  job->columns = calloc(count, sizeof(int));
  const int has = job->data != NULL && job->work != NULL && job->rows != NULL && job->columns;
  return has ? NULL : "there is no memory";
}

static void free_memory(timing_job* job) {
  free(job->data);
  free(job->work);
  free(job->rows);
  free(job->columns);
}

int main(int argc, char** argv) {
  timing_request request = {0};
  timing_job job = {0};
  const char* problem = timing_read(argc, argv, &request);
  if (problem == NULL) problem = library_refuses(&request);
  library_start(problem == NULL ? processes_of(&request) : 0, &job.me, &job.p);
  if (problem == NULL && job.p < 1) problem = "start it with `tutti run -n P`";
  if (problem == NULL && processes_of(&request) > job.p)
    problem = "the arguments name a process that does not exist";
  const int speaks = job.me == 0;
  if (problem != NULL) {
    if (speaks) fprintf(stderr, "timing %s: %s\n", library_name, problem);
    library_finish();
    /* If another process ended first with 2, its end would end process 0 before it has said why. */
    return speaks ? 2 : 0;
  }
  problem = open_output(&job, &request);
  if (problem == NULL) problem = get_memory(&job, &request);
  if (problem != NULL) {
    fprintf(stderr, "timing %s: %s\n", library_name, problem);
    library_abort();
  }
  if (is_for_messages(&request))
    timing_messages(&job, &request);
  else
    timing_scoped(&job, &request);
  int failed = ferror(job.out);
  failed |= job.out == stdout ? fflush(stdout) : fclose(job.out);
  if (failed) fprintf(stderr, "timing %s: the output cannot be written\n", library_name);
  free_memory(&job);
  library_finish();
  return failed ? 1 : 0;
}
