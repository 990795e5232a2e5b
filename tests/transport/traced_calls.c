/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job whose trace is tested. Its arguments are steps: all (each kind of call once), late (the
 * last rank comes 200 ms late to an allreduce), few and many (200 and 5000 allreduces), killed
 * (rank 1 kills itself while the others wait for it), fork (a child ends like a program), exit
 * (ends without tutti_finalize). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <tutti/tutti.h>
#include <unistd.h>

#include "api/rank_check.h"

enum { count = 128 };
static double input[count], output[count];

static void sum(tutti_group group) {
  const tutti_data from = tutti_array(input, count, TUTTI_DOUBLE),
                   to = tutti_array(output, count, TUTTI_DOUBLE);
  CHECK(tutti_allreduce(group, &from, &to, TUTTI_SUM) == TUTTI_OK);
}

static void started(void) {
  const tutti_data from = tutti_array(input, count, TUTTI_DOUBLE),
                   to = tutti_array(output, count, TUTTI_DOUBLE);
  tutti_request request;
  CHECK(tutti_iallreduce(world, &from, &to, TUTTI_SUM, &request) == TUTTI_OK);
  CHECK(tutti_wait(&request) == TUTTI_OK);
  CHECK(tutti_bcast_init(world, &to, 0, &request) == TUTTI_OK);
  for (int i = 0; i < 2; ++i) {
    CHECK(tutti_start(request) == TUTTI_OK);
    CHECK(tutti_wait(&request) == TUTTI_OK);
  }
  CHECK(tutti_request_free(&request) == TUTTI_OK);
}

static void planned(void) {
  const tutti_data from = tutti_array(input, count, TUTTI_DOUBLE),
                   to = tutti_array(output, count, TUTTI_DOUBLE);
  tutti_plan_request asked;
  memset(&asked, 0, sizeof asked);
  asked.struct_size = sizeof asked;
  asked.operation = TUTTI_OP_ALLREDUCE;
  asked.algorithm = "ring";
  tutti_plan plan;
  CHECK(tutti_plan_get(world, &asked, &plan) == TUTTI_OK);
  tutti_run run;
  memset(&run, 0, sizeof run);
  run.struct_size = sizeof run;
  run.input = &from;
  run.output = &to;
  run.op = TUTTI_SUM;
  CHECK(tutti_plan_run(plan, &run) == TUTTI_OK);
}

static void grouped(void) {
  tutti_group half;
  CHECK(tutti_group_split(world, rank % 2, 0, &half) == TUTTI_OK);
  sum(half);
  CHECK(tutti_group_free(half) == TUTTI_OK);
}

static void messages(void) {
  const tutti_data from = tutti_array(input, count, TUTTI_DOUBLE),
                   to = tutti_array(output, count, TUTTI_DOUBLE);
  if (size == 1) return;
  if (rank == 0) CHECK(tutti_send(world, &from, 1, 5) == TUTTI_OK);
  if (rank == 1) CHECK(tutti_receive(world, &to, 0, 5, NULL, NULL) == TUTTI_OK);
}

static void come_late(void) {
  const struct timespec nap = {0, 200000000};
  CHECK(tutti_barrier(world) == TUTTI_OK);
  if (rank == size - 1) nanosleep(&nap, NULL);
  sum(world);
}

static void be_killed(void) {
  const struct timespec nap = {0, 200000000};
  sum(world);
  if (rank == 1) {
    nanosleep(&nap, NULL);
    raise(SIGKILL);
  }
  sum(world);
}

static void with_child(void) {
  const pid_t child = fork();
  if (child == 0) exit(0);
  CHECK(waitpid(child, NULL, 0) == child);
  sum(world);
}

static void step(const char* name) {
  if (strcmp(name, "all") == 0) {
    sum(world);
    started();
    planned();
    grouped();
    messages();
    CHECK(tutti_barrier(world) == TUTTI_OK);
  } else if (strcmp(name, "late") == 0) {
    come_late();
  } else if (strcmp(name, "many") == 0) {
    for (int i = 0; i < 5000; ++i) sum(world);
  } else if (strcmp(name, "few") == 0) {
    for (int i = 0; i < 200; ++i) sum(world);
  } else if (strcmp(name, "killed") == 0) {
    be_killed();
  } else if (strcmp(name, "fork") == 0) {
    with_child();
  }
}

int main(int argc, char** argv) {
  tutti_init();
  world = tutti_world();
  rank = tutti_rank(world);
  size = tutti_size(world);
  for (int i = 0; i < count; ++i) input[i] = rank + 1;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "exit") == 0) return failures != 0;
    step(argv[i]);
  }
  tutti_finalize();
  return failures != 0;
}
