/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Types of messages and masks of types.
 */
#include "check.h"

/* Receives the first message that a selector selects among those that this node has sent to itself,
 * and returns its type. */
static long first(long typesel) {
  long value = -1, info[8];
  crecvx(typesel, &value, sizeof value, mynode(), -1, info);
  CHECK(value == info[0]);
  return value;
}

/* Returns 1 if there is such a message. */
static long there(long typesel) {
  long info[8];
  return iprobex(typesel, mynode(), -1, info);
}

void test_selectors(void) {
  const long types[] = {0, 1, 2, 29, 30, 31, 999999999, 1073741823};
  const size_t count = sizeof types / sizeof *types;
  for (size_t i = 0; i < count; i++) csend(types[i], &types[i], sizeof(long), mynode(), 0);
  CHECK(there(3) == 0);
  /* A mask of 32 bits, as a negative number and as programs of 32 bits write it. */
  CHECK(there((long)0x80000008) == 0 && there(-2147483647 - 1 + 8) == 0);
  CHECK(first((long)0x80000006) == 1);
  CHECK(first(-2147483647 - 1 + 6) == 2);
  CHECK(there((long)0x80000006) == 0);
  CHECK(first((long)0xa0000000) == 29);
  CHECK(first((long)0xc0000000) == 30);
  CHECK(first((long)0xc0000001) == 0);
  CHECK(first(1073741823) == 1073741823);
  CHECK(first((long)0xffffffff) == 31);
  CHECK(first(-1) == 999999999);
  CHECK(there(-1) == 0);
}
