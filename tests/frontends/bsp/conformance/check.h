// SPDX-License-Identifier: BSD-3-Clause
// Gives all parts of the conformance driver a check that ends all processes on failure, and the
// list of parts.
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tutti-bsp/bsp.h>
#include <tutti-bsp/bsp_broadcast.h>
#include <tutti-bsp/bsp_tutti.h>

#define CHECK(condition)                                                               \
  do {                                                                                 \
    if (!(condition)) bsp_abort("%s:%d: %s is false", __FILE__, __LINE__, #condition); \
  } while (0)
#define BYTES(x) ((bsp_size_t)sizeof(x))

// Returns a number that differs for all processes and places.
static inline int mark(int pid, int place) {
  return 1000 * (pid + 1) + place;
}

void check_registration(void);
void check_puts_and_gets(void);
void check_direct_access(void);
void check_direct_gets(void);
void check_messages(void);
void check_level_1(void);
void check_values(void);
void check_random_supersteps(void);
void check_partial_supersteps(void);
void check_large_supersteps(void);
// This check needs all processes.
void check_nobody_waits(void);
// Checks groups, and runs `everything` inside of a group, too.
void check_groups(void (*everything)(void));
