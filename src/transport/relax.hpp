// SPDX-License-Identifier: BSD-3-Clause
// The pause instruction that a spinning process executes between two polls.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tutti::transport {

inline void relax() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace tutti::transport
