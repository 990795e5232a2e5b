// SPDX-License-Identifier: BSD-3-Clause
// The clocks of the BLACS, dwalltime00 and dcputime00, for both interfaces.
#pragma once

#include <chrono>

namespace tutti::blacs {

inline double wall_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// An implementation that does not measure processor time may return -1, and the usual one does.
inline double processor_time() {
  return -1.0;
}

}  // namespace tutti::blacs
