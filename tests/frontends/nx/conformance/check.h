/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The checks of the conformance tests of NX, and of the test beside other interfaces. The library's
 * header comes first and is all that the conformance tests use of tutti.
 */
#ifndef CHECK_H
#define CHECK_H

#include <nx.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern long failures;

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      fprintf(stderr, "node %ld: %s:%d: %s\n", mynode(), __FILE__, __LINE__, #condition); \
      failures++;                                                                         \
    }                                                                                     \
  } while (0)

static inline long next_node(void) {
  return (mynode() + 1) % numnodes();
}
static inline long node_before(void) {
  return (mynode() + numnodes() - 1) % numnodes();
}

/* Returns when all nodes have called it. */
void meet(void);

void test_nodes(void);
void test_waited(void);
void test_started(void);
void test_selectors(void);
void test_errors(void);
void test_collectives(void);
void test_forced(void);
void test_handlers(void);
void test_files(void);

#endif
