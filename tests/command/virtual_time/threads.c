// SPDX-License-Identifier: BSD-3-Clause
// Rank 1 has a second thread that reads a clock, before ("first") or after ("second") the thread
// that calls tutti has read one.
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <tutti/tutti.h>

static void* read_clock(void* nothing) {
  struct timeval time;
  gettimeofday(&time, NULL);
  return nothing;
}

int main(int argc, char** argv) {
  if (argc != 2 || tutti_init() != TUTTI_OK) return 2;
  if (strcmp(argv[1], "second") == 0) time(NULL);
  pthread_t thread;
  if (tutti_rank(tutti_world()) == 1) {
    if (pthread_create(&thread, NULL, read_clock, NULL) != 0) return 3;
    pthread_join(thread, NULL);
    printf("the thread has read a clock\n");
  }
  time(NULL);
  tutti_barrier(tutti_world());
  return tutti_finalize() == TUTTI_OK ? 0 : 1;
}
