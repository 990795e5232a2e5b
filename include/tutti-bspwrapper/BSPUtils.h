// SPDX-License-Identifier: BSD-3-Clause
// P. Krusche's benchmarks use these beside BSPWrapper: a clock, operators for Fold, and random
// permutations.
#pragma once

#include <tutti-bspwrapper/BSPWrapper.h>
#include <tutti-bspwrapper/error.h>

#include <cstdlib>

// The type that Fold expects of an operator.
#define BSP_OPFUN (void (*)(char*, char*, char*, int*))

namespace BSPUtils {

// Returns the seconds since its last call; at first, since Init.
inline double bsp_dtime() {
  static double last = 0;
  const double before = last;
  last = BSPWrapper::Time();
  return last - before;
}

inline void dbl_max(double* result, double* left, double* right, int*) {
  *result = *left > *right ? *left : *right;
}
inline void dbl_min(double* result, double* left, double* right, int*) {
  *result = *left < *right ? *left : *right;
}
inline void dbl_sum(double* result, double* left, double* right, int*) {
  *result = *left + *right;
}

// Fills an array with a permutation of 0 to n - 1. All processes get the same one if all have given
// the same number to srand and have called rand equally often.
inline void randompermutation(int* permutation, int n) {
  for (int i = 0; i < n; ++i) permutation[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(permutation[i], permutation[std::rand() % (i + 1)]);
}

}  // namespace BSPUtils
