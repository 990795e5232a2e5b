/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of the conformance suite share these declarations.
 */
#ifndef TUTTI_TEST_ICC_CONFORMANCE_H
#define TUTTI_TEST_ICC_CONFORMANCE_H

#include <stdio.h>

#include "icc.h"

extern long me, nodes, wrong;

/* Counts a result that is not as it should be, and prints the first ones. */
#define EXPECT(condition)                                                                         \
  do {                                                                                            \
    if (!(condition) && wrong++ < 10)                                                             \
      fprintf(stderr, "%s:%d: node %ld of %ld: %s\n", __FILE__, __LINE__, me, nodes, #condition); \
  } while (0)

enum { longest = 3000 };

/* An element of a vector: small numbers, whose sums and products are exact in every type. */
static inline long value(long node, long i) {
  return 1 + (7 * node + i) % 3;
}
/* The number of elements that node r has: some have none. */
static inline long part_of(long r, long scale) {
  return r % 3 * scale + (r % 2 ? 1 : 0);
}

void simple_interface(void);
void group_interface(void);
void group_errors(void);

#endif
