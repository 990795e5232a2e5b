/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Declares what the parts of the conformance program share: the rank, the number of ranks, and the
 * checks.
 */
#ifndef TUTTI_TESTS_CONFORMANCE_H
#define TUTTI_TESTS_CONFORMANCE_H

#include <tutti/tutti.h>

extern int me, p; /* rank and size of the world */

enum { size_count = 9, most = 100000 };
extern const int64_t sizes[size_count]; /* elements of vectors that are tried, at most `most` */
extern double *a, *b, *c;               /* room for `most` elements each */

void check(int holds, const char* what, int line);
#define CHECK(condition) check((condition) != 0, #condition, __LINE__)
#define GOOD(call) check((call) == TUTTI_OK, #call, __LINE__)

/* Tests operators of the program, and the winner with its place (conformance_operators.c). */
void operators(void);
void winners(void);
void operators_in_place(void);

#endif
