// SPDX-License-Identifier: BSD-3-Clause
// Two threads of node 0 call iCC at the same time. Node 1 never comes, so the thread that comes
// first stays inside and the other one must be refused.
#include <icc.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void* wait_for_all(void* unused) {
  iCC_gsync();
  return unused;
}

int main(void) {
  iCC_initialize();
  if (iCC_g_Group_init() != iCC_g_OK) return EXIT_FAILURE;
  while (iCC_g_COMM_WORLD->source == 1) pause();
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_all, NULL) != 0) return EXIT_FAILURE;
  wait_for_all(NULL);
  return EXIT_FAILURE;
}
