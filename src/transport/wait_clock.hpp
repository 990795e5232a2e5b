// SPDX-License-Identifier: BSD-3-Clause
// Measures for how long this process waits for others, if a front end asks for it, and records each
// wait in the trace, if there is one. Only the thread that is inside a call of tutti waits, so
// there is one clock.
#pragma once

#include <chrono>

#include "transport/relax.hpp"
#include "transport/trace/tracer.hpp"

namespace tutti::transport {

struct WaitClock {
  bool runs = false;   // waits are measured, for one of the reasons below
  bool waits = false;  // one is being measured
  bool sums = false;   // a front end asks for the sum
  trace::Tracer* recorder = nullptr;
  std::chrono::steady_clock::time_point begun{};
  std::chrono::nanoseconds waited{};

  void set_sums(bool on) {
    sums = on;
    runs = sums || recorder != nullptr;
  }
  void set_recorder(trace::Tracer* of_process) {
    recorder = of_process;
    runs = sums || recorder != nullptr;
  }
};
inline constinit WaitClock wait_clock;

// The time from begin() to end() in which this process has nothing to do. Costs a comparison if
// nobody asks. A wait within a wait counts once. `peer` is the endpoint that it waits for, or -1.
class Stall {
 public:
  Stall() = default;
  ~Stall() { end(); }
  Stall(const Stall&) = delete;
  Stall& operator=(const Stall&) = delete;

  void begin(int peer = trace::nobody) {
    if (!wait_clock.runs || wait_clock.waits) [[likely]]
      return;
    if (wait_clock.recorder != nullptr) wait_clock.recorder->wait_begins(peer);
    if (wait_clock.sums) wait_clock.begun = std::chrono::steady_clock::now();
    wait_clock.waits = measured_ = true;
    summed_ = wait_clock.sums;
  }
  [[nodiscard]] bool measured() const { return measured_; }
  // Pauses between two polls. For a trace the clock is read instead, which takes as long. So the
  // clock need not be read when the wait is over, which would make the call longer.
  void pause() {
    if (measured_ && wait_clock.recorder != nullptr) [[unlikely]]
      polled_ = wait_clock.recorder->now();
    else
      relax();
  }
  void end() {
    if (!measured_) [[likely]]
      return;
    if (wait_clock.recorder != nullptr) wait_clock.recorder->wait_ends(polled_);
    polled_ = 0;
    if (summed_) wait_clock.waited += std::chrono::steady_clock::now() - wait_clock.begun;
    wait_clock.waits = measured_ = false;
  }

 private:
  bool measured_ = false;
  bool summed_ = false;
  std::uint64_t polled_ = 0;  // tick of the last pause
};

}  // namespace tutti::transport
