// SPDX-License-Identifier: BSD-3-Clause
// The pause instruction that a spinning process executes between two polls. On arm64 it is `isb`,
// which takes about as long as x86's `pause`; `yield` does nothing on most processors.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tutti::transport {

inline void relax() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

}  // namespace tutti::transport
