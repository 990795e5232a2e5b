// SPDX-License-Identifier: BSD-3-Clause
// Two threads of process 0 call BSPlib at the same time. Process 1 never ends the superstep, so the
// thread that comes first stays inside and the other one must be refused.
#include <bsp.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void* wait_for_all(void* unused) {
  bsp_sync();
  return unused;
}

int main(void) {
  bsp_begin(2);
  while (bsp_pid() == 1) pause();
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_all, NULL) != 0) return EXIT_FAILURE;
  wait_for_all(NULL);
  return EXIT_FAILURE;
}
