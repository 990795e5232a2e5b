/* SPDX-License-Identifier: BSD-3-Clause
 * Sums vectors for ever, on the nodes of the job. test_hard_kills.py kills one of them. */
#include <icc.h>

enum { elements = 500 };

int main(void) {
  static double mine[elements], work[elements];
  iCC_initialize();
  for (;;) iCC_gdsum(mine, elements, work);
}
