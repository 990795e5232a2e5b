// SPDX-License-Identifier: BSD-3-Clause
// The clock by which calls are timed: that of the job, and the machine's before this process has
// joined one.
#pragma once

#include <time.h>

#include <cstdint>

#include "library.hpp"

namespace tutti::mpi {

[[nodiscard]] inline std::int64_t nanoseconds_now() {
  if (library.nanoseconds != nullptr) return static_cast<std::int64_t>(library.nanoseconds());
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

}  // namespace tutti::mpi
