/* SPDX-License-Identifier: BSD-3-Clause
 * Tests tasks of a job that MPI has started: they run in the places of spare ranks. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "tasks.h"

/* Uses all `count` spare ranks, so that a further task finds no slot. */
static void crowded(int count) {
  int endpoints[16];
  OK(tutti_tolerate_deaths());
  for (int round = 0; round < 3; ++round) {
    CHECK(tutti_spawn(self, NULL, count + 1, endpoints) == TUTTI_NO_SLOT);
    spawn("hang", count, endpoints);
    for (int i = 0; i < count; ++i) receive(endpoints[i], NULL);
    int more[1];
    CHECK(tutti_spawn(self, NULL, 1, more) == TUTTI_NO_SLOT &&
          strstr(tutti_error_text(), ", 0 of them free") != NULL);
    for (int i = 0; i < count; ++i) OK(tutti_signal(endpoints[i], SIGTERM));
    for (int i = 0; i < count; ++i) CHECK(receive(endpoints[i], NULL) == -TUTTI_PEER_LEFT);
  }
  printf("still here\n");
}

static void refused(const char* why) {
  int endpoints[1];
  CHECK(tutti_spawn(self, NULL, 1, endpoints) == TUTTI_NO_SLOT &&
        strstr(tutti_error_text(), why) != NULL);
  printf("still here\n");
}

static void places(void) {
  int endpoints[2];
  spawn("place", 2, endpoints);
  const int first = receive(endpoints[0], NULL), second = receive(endpoints[1], NULL);
  printf("processors %d and %d\n", first, second);
}

/* Rank 0 fails while tasks exist. */
static void fail_among_tasks(const char* how) {
  int endpoints[1];
  spawn("hang", 1, endpoints);
  receive(endpoints[0], NULL);
  if (strcmp(how, "abort") == 0) tutti_abort(7, "as it was told");
  kill(getpid(), SIGKILL);
}

/* Calls MPI_Finalize before tutti_finalize. MPI's library is loaded, but this program is not
 * linked with it. */
static void finalize_mpi(void) {
  int (*finalize)(void) = NULL;
  int endpoints[1];
  spawn("finish", 1, endpoints);
  *(void**)&finalize = dlsym(RTLD_DEFAULT, "MPI_Finalize");
  CHECK(finalize != NULL && finalize() == 0);
  CHECK(tutti_spawn(self, NULL, 1, endpoints) != TUTTI_OK);
  printf("still here\n");
}

void under_mpi(const char* test, int count) {
  int endpoints[1];
  if (strcmp(test, "crowded") == 0) crowded(count);
  if (strcmp(test, "no_pool") == 0) refused("tutti spare");
  if (strcmp(test, "hosts") == 0) refused("2 hosts");
  if (strcmp(test, "places") == 0) places();
  if (strcmp(test, "mpi_first") == 0) finalize_mpi();
  if (strcmp(test, "outlived") == 0) spawn("outlive", 1, endpoints);
  if (strcmp(test, "abort") == 0 || strcmp(test, "killed") == 0) fail_among_tasks(test);
  if (strcmp(test, "task_aborts") == 0) {
    spawn("abort", 1, endpoints);
    receive(endpoints[0], NULL);
  }
}
