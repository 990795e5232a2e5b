// SPDX-License-Identifier: BSD-3-Clause
// The clocks of the BLACS, dwalltime00 and dcputime00.
#pragma once

#include <tutti/tutti_runtime.h>

#include <ctime>

namespace tutti::blacs {

inline double wall_time() {
  return static_cast<double>(tutti_nanoseconds()) * 1e-9;
}

inline double processor_time() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// BLACS 1.1 may return -1 where they do not measure processor time, and the usual ones do.
constexpr double not_measured = -1.0;

}  // namespace tutti::blacs
