// SPDX-License-Identifier: BSD-3-Clause
// Two threads of a task wait for a message that never comes. The one that comes second must get
// PvmSysErr at once, with a message that says why; it ends the program.
#include <pthread.h>
#include <pvm3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static void* wait_for_message(void* unused) {
  struct timeval long_enough = {600, 0};
  const int code = pvm_trecv(-1, 1, &long_enough);
  fprintf(stderr, "pvm_trecv gave %d\n", code);
  _Exit(EXIT_FAILURE);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pvm_mytid() < 0 || pthread_create(&thread, NULL, wait_for_message, NULL) != 0) return 2;
  wait_for_message(NULL);
  return 2;
}
