/* SPDX-License-Identifier: BSD-3-Clause
 * Tests a lock whose holder is killed. tasks.c calls it. */
#include <signal.h>

#include "tasks.h"

static uint32_t* shared_lock(void) {
  void* address = NULL;
  OK(tutti_record("lock", sizeof(uint32_t), &address));
  return address;
}

void take_lock(void) {
  int repair = -1;
  OK(tutti_lock(shared_lock(), &repair));
  CHECK(repair == 0);
}

/* A task takes the lock and is killed. The next holder is told, and the one after it is not. */
void lock_of_the_dead(void) {
  int endpoints[1], repair = -1;
  uint32_t* const lock = shared_lock();
  spawn("lock", 1, endpoints);
  receive(endpoints[0], NULL);
  OK(tutti_signal(endpoints[0], SIGKILL));
  OK(tutti_lock(lock, &repair));
  CHECK(repair == 1 && tutti_lock(lock, &repair) == TUTTI_INVALID_ARGUMENT);
  OK(tutti_unlock(lock));
  CHECK(tutti_unlock(lock) == TUTTI_INVALID_ARGUMENT);
  take_lock();
  OK(tutti_unlock(lock));
}
