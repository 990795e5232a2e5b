// SPDX-License-Identifier: BSD-3-Clause
// Interfaces without a call that leaves its result at one rank only use this file.
#include "same_bits.h"

int combine_at(const struct kind* kind, double* x, int count, int root) {
  (void)kind;
  (void)x;
  (void)count;
  (void)root;
  return 0;
}
