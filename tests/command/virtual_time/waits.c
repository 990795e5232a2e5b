// SPDX-License-Identifier: BSD-3-Clause
// Has a function that each wait asks, and that reads a clock, as that of Python does. It must get
// the time from before the wait, and ask nobody.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tutti/tutti.h>
#include <tutti/tutti_runtime.h>

static int went_back;

static void must(tutti_status status) {
  if (status == TUTTI_OK) return;
  fprintf(stderr, "%s\n", tutti_error_text());
  exit(1);
}

static int go_on(void* user) {
  static long last;
  struct timespec now;
  (void)user;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long ns = now.tv_sec * 1000000000L + now.tv_nsec;
  went_back |= ns < last;
  last = ns;
  return 0;
}

int main(void) {
  tutti_on_wait(go_on, NULL);
  must(tutti_init());
  uint64_t last = 0;
  for (int i = 0; i < 50; ++i) {
    must(tutti_barrier(tutti_world()));
    const uint64_t now = tutti_nanoseconds();
    if (now <= last) return 2;
    last = now;
  }
  must(tutti_finalize());
  return went_back ? 3 : 0;
}
