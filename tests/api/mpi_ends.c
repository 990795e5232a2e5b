/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job whose rank 1 ends in the way that the argument names, while the others wait for it or
 * compute: kill, kill-busy (rank 2 computes), kill-call (within a call of tutti), abort, exit,
 * leave (tutti_finalize while the others go on). It prints when rank 1 ends. With abort-all every
 * rank aborts at once, and tutti's line comes late, as on a busy machine. mpi.py runs it.
 */
#define _GNU_SOURCE /* fopencookie */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>
#include <unistd.h>

/* A user's operator, within which rank 1 kills itself. */
static void deadly(void* result, const void* left, const void* right, int64_t count, void* user) {
  (void)result, (void)left, (void)right, (void)count, (void)user;
  if (tutti_rank(tutti_world()) == 1) kill(getpid(), SIGKILL);
}

static ssize_t write_late(void* cookie, const char* text, size_t size) {
  const struct timespec while_others_abort = {0, 300 * 1000 * 1000};
  (void)cookie;
  if (size > 6 && memcmp(text, "tutti:", 6) == 0) nanosleep(&while_others_abort, NULL);
  return write(STDERR_FILENO, text, size);
}

static void abort_with_late_stderr(void) {
  const cookie_io_functions_t functions = {.write = write_late};
  stderr = fopencookie(NULL, "w", functions);
  if (stderr == NULL) exit(1);
  setvbuf(stderr, NULL, _IONBF, 0);
  tutti_abort(7, "all ranks say so");
}

static void end_as(const char* how) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("ends at %ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
  fflush(stdout);
  if (strcmp(how, "kill-call") == 0) return;
  if (strncmp(how, "kill", 4) == 0) kill(getpid(), SIGKILL);
  if (strcmp(how, "abort") == 0) tutti_abort(7, "the program says so");
  if (strcmp(how, "exit") == 0) exit(3);
  tutti_finalize();
  exit(0);
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "kill";
  double numbers[1000] = {0};
  const tutti_data data = tutti_array(numbers, 1000, TUTTI_DOUBLE);
  if (tutti_init() != TUTTI_OK) return 1;
  const int me = tutti_rank(tutti_world());
  for (int i = 0; i < 50; ++i) tutti_allreduce(tutti_world(), &data, &data, TUTTI_SUM);
  if (strcmp(how, "abort-all") == 0) abort_with_late_stderr();
  if (me == 1) end_as(how);
  if (me == 2 && strcmp(how, "kill-busy") == 0) {
    for (;;) numbers[0] += 1;
  }
  if (strcmp(how, "kill-call") == 0) {
    tutti_op op;
    tutti_op_create(TUTTI_DOUBLE, deadly, 0, NULL, &op);
    tutti_scan(tutti_world(), &data, &data, op);
  }
  const tutti_status status = tutti_allreduce(tutti_world(), &data, &data, TUTTI_SUM);
  if (status != TUTTI_OK) fprintf(stderr, "rank %d: %s\n", me, tutti_error_text());
  tutti_finalize();
  return status;
}
