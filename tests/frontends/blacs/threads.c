// SPDX-License-Identifier: BSD-3-Clause
// Two threads of process 0 call the BLACS at the same time. Process 1 never enters the barrier, so
// the thread that comes first stays inside and the other one must be refused.
#include <pthread.h>
#include <stdlib.h>
#include <tutti-blacs/tutti_blacs.h>
#include <unistd.h>

static int context;

static void* wait_for_all(void* unused) {
  Cblacs_barrier(context, "All");
  return unused;
}

int main(void) {
  int me = 0, count = 0;
  Cblacs_pinfo(&me, &count);
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, "Row", 1, count);
  while (me == 1) pause();
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_all, NULL) != 0) return EXIT_FAILURE;
  wait_for_all(NULL);
  return EXIT_FAILURE;
}
