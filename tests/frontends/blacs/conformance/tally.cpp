// SPDX-License-Identifier: BSD-3-Clause
// Counts the checks of a driver (harness.hpp).
#include <cstdio>

#include "harness.hpp"

namespace conformance {

void Tally::check(bool good, const std::string& what) {
  if (good) {
    ++passed;
  } else if (++failed <= 5) {
    std::fprintf(stderr, "failed: %s\n", what.c_str());
  }
}

}  // namespace conformance
