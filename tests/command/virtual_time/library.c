// SPDX-License-Identifier: BSD-3-Clause
// A library of the program clocks.c, which reads a clock.
#include <stdint.h>
#include <time.h>

uint64_t clock_of_library(void);

uint64_t clock_of_library(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}
