// SPDX-License-Identifier: BSD-3-Clause
// The cases of blacs_errors by name, and what they have in common.
#pragma once

#include <tutti-blacs/tutti_blacs.h>

#include <functional>
#include <map>
#include <string>

inline char all[] = "All", blank[] = " ", upper[] = "U", unit[] = "N", order[] = "Row";
inline double x[16];

inline int grid(int rows, int columns) {
  int context = 0;
  Cblacs_get(-1, 0, &context);
  Cblacs_gridinit(&context, order, rows, columns);
  return context;
}

inline int own_number() {
  int me = 0, processes = 0;
  Cblacs_pinfo(&me, &processes);
  return me;
}

using Cases = std::map<std::string, std::function<void()>>;

// These are in additions.cpp and levels.cpp.
const Cases& addition_cases();
const Cases& debug_level_cases();
