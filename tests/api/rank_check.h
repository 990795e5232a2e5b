/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rank, the group and the check of small test programs. A failed check prints a line and is
 * counted. */
#ifndef TUTTI_TESTS_RANK_CHECK_H
#define TUTTI_TESTS_RANK_CHECK_H

#include <stdio.h>
#include <tutti/tutti.h>

static int rank, size, failures;
static tutti_group world;

#define CHECK(condition)                                                                \
  do {                                                                                  \
    if (!(condition)) {                                                                 \
      fprintf(stderr, "rank %d: %s:%d: %s: %s\n", rank, __FILE__, __LINE__, #condition, \
              tutti_error_text());                                                      \
      failures++;                                                                       \
    }                                                                                   \
  } while (0)

#endif
