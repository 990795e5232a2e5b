// SPDX-License-Identifier: BSD-3-Clause
// Repeats system calls that a signal has interrupted.
#pragma once

#include <cerrno>

namespace tutti::base {

// Returns what the system call returns in the end: a negative result has another reason than a
// signal. It must not be used for close(), after which the descriptor is closed in any case.
template <class Call>
auto uninterrupted(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace tutti::base
