// SPDX-License-Identifier: BSD-3-Clause
// The clocks of C++, for clocks.c.
#include <chrono>
#include <cstdint>
#include <thread>

namespace {

template <class Clock>
std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(Clock::now().time_since_epoch()).count());
}

}  // namespace

extern "C" {

std::uint64_t chrono_steady() {
  return nanoseconds<std::chrono::steady_clock>();
}
std::uint64_t chrono_system() {
  return nanoseconds<std::chrono::system_clock>();
}
void chrono_sleep(std::uint64_t ns) {
  std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}
}
