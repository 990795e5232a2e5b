// SPDX-License-Identifier: BSD-3-Clause
// Measures for how long this process waits for others, if a front end asks for it. Only the thread
// that is inside a call of tutti waits, so there is one clock.
#pragma once

#include <chrono>

namespace tutti::transport {

struct WaitClock {
  bool runs = false;   // waits are measured
  bool waits = false;  // one is being measured
  std::chrono::steady_clock::time_point begun{};
  std::chrono::nanoseconds waited{};
};
inline constinit WaitClock wait_clock;

// The time from begin() to end() in which this process has nothing to do. Costs a comparison if
// nobody asks. A wait within a wait counts once.
class Stall {
 public:
  Stall() = default;
  ~Stall() { end(); }
  Stall(const Stall&) = delete;
  Stall& operator=(const Stall&) = delete;

  void begin() {
    if (!wait_clock.runs || wait_clock.waits) [[likely]]
      return;
    wait_clock.begun = std::chrono::steady_clock::now();
    wait_clock.waits = measured_ = true;
  }
  void end() {
    if (!measured_) [[likely]]
      return;
    wait_clock.waited += std::chrono::steady_clock::now() - wait_clock.begun;
    wait_clock.waits = measured_ = false;
  }

 private:
  bool measured_ = false;
};

}  // namespace tutti::transport
