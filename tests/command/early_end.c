/* SPDX-License-Identifier: BSD-3-Clause
 * A program that starts a world of its own, whose other processes end at once with code 7, before
 * they join. */
#include <stdlib.h>
#include <tutti/tutti_runtime.h>
#include <unistd.h>

int main(void) {
  if (getenv("TUTTI_JOB") != NULL) _exit(7);
  tutti_init();
  tutti_spawn_world(3);
  sleep(20);
  return 0;
}
