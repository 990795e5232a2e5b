// SPDX-License-Identifier: BSD-3-Clause
// The clock by which calls are timed.
#pragma once

#include <time.h>

#include <cstdint>

namespace tutti::mpi {

[[nodiscard]] inline std::int64_t nanoseconds_now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

}  // namespace tutti::mpi
