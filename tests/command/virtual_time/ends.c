// SPDX-License-Identifier: BSD-3-Clause
// Jobs that end badly. The first argument says how. "endless" has no end, "some" ends well, and
// "order" runs collectives in another order on rank 0. In the middle of the others, rank 1 waits in
// a pipe while the others ask the clock ("pipe"), or ends by "exit", "_exit" or "return", or by
// exit with a handler that reads a clock ("handler").
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static void sum(void) {
  static double from[100], to[100];
  const tutti_data in = tutti_array(from, 100, TUTTI_DOUBLE);
  const tutti_data out = tutti_array(to, 100, TUTTI_DOUBLE);
  must(tutti_allreduce(tutti_world(), &in, &out, TUTTI_SUM));
}

static void run(long times) {
  for (long i = 0; i != times; ++i) {
    sum();
    if (i % 3 == tutti_rank(tutti_world())) tutti_nanoseconds();
  }
}

static void in_other_order(int me) {
  tutti_group other;
  must(tutti_group_dup(tutti_world(), &other));
  must(tutti_barrier(me == 0 ? tutti_world() : other));
  must(tutti_barrier(me == 0 ? other : tutti_world()));
}

static void wait_in_a_pipe(void) {
  int ends[2];
  char byte;
  if (pipe(ends) != 0 || read(ends[0], &byte, 1) != 1) exit(4);
}

static void read_clock(void) {
  time(NULL);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const char* const how = argv[1];
  if (strcmp(how, "handler") == 0) atexit(read_clock);
  must(tutti_init());
  const int me = tutti_rank(tutti_world());
  const int here = me == 1;
  run(20);
  if (strcmp(how, "endless") == 0) run(-1);
  if (strcmp(how, "order") == 0) in_other_order(me);
  if (strcmp(how, "pipe") == 0) {
    if (here) wait_in_a_pipe();
    usleep(1000);
    tutti_nanoseconds();
  }
  if (here && strcmp(how, "exit") == 0) exit(3);
  if (here && strcmp(how, "handler") == 0) exit(3);
  if (here && strcmp(how, "_exit") == 0) _exit(0);
  if (here && strcmp(how, "return") == 0) return 0;
  run(20);
  must(tutti_finalize());
  return 0;
}
