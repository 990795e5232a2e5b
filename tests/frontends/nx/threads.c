// SPDX-License-Identifier: BSD-3-Clause
// Two threads of node 0 call NX at the same time. Node 1 never comes, so the thread that comes
// first stays inside and the other one must be refused.
#include <nx.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void* wait_for_all(void* unused) {
  gsync();
  return unused;
}

int main(void) {
  while (mynode() == 1) pause();
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_all, NULL) != 0) return EXIT_FAILURE;
  wait_for_all(NULL);
  return EXIT_FAILURE;
}
