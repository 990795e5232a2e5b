// SPDX-License-Identifier: BSD-3-Clause
// Two threads of process 0 call BLACS 1.0 at the same time. Process 1 never enters the barrier, so
// the thread that comes first stays inside and the other one must be refused.
#include <pthread.h>
#include <stdlib.h>
#include <tutti-blacs94/tutti_blacs94.h>
#include <unistd.h>

static void* wait_for_all(void* unused) {
  barrier("All");
  return unused;
}

int main(void) {
  int me = 0, count = 0;
  const int one = 1;
  initpinfo(&me, &count);
  blacsinit(&one, &count);
  while (me == 1) pause();
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_all, NULL) != 0) return EXIT_FAILURE;
  wait_for_all(NULL);
  return EXIT_FAILURE;
}
