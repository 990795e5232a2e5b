// SPDX-License-Identifier: BSD-3-Clause
// dwalltime00 and dcputime00.
#pragma once

#include <chrono>

namespace tutti::blacs {

inline double wall_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The interface lets an implementation that does not measure it say -1, and the usual one does.
inline double processor_time() {
  return -1.0;
}

}  // namespace tutti::blacs
