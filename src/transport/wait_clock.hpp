// SPDX-License-Identifier: BSD-3-Clause
// Measures for how long this process waits for others, if a front end asks for it, and records each
// wait in the trace, if there is one. Only the thread that is inside a call of tutti waits, so
// there is one such clock. The Waiter tells it of each wait.
#pragma once

#include "transport/clock.hpp"
#include "transport/relax.hpp"
#include "transport/trace/tracer.hpp"

namespace tutti::transport {

struct WaitClock {
  bool runs = false;   // waits are measured, for one of the reasons below
  bool waits = false;  // one is being measured
  bool sums = false;   // a front end asks for the sum
  trace::Tracer* recorder = nullptr;
  std::uint64_t begun = 0;   // ns of the job's clock
  std::uint64_t waited = 0;  // ns

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
  explicit Stall(Clock& clock) : clock_(&clock) {}
  ~Stall() { end(); }
  Stall(const Stall&) = delete;
  Stall& operator=(const Stall&) = delete;

  void begin(int peer = trace::nobody) {
    if (!wait_clock.runs || wait_clock.waits) [[likely]]
      return;
    if (wait_clock.recorder != nullptr) wait_clock.recorder->wait_begins(peer);
    if (wait_clock.sums) wait_clock.begun = clock_->now();
    wait_clock.waits = measured_ = true;
    summed_ = wait_clock.sums;
  }
  // Returns true if a begin() that came now would have an effect.
  [[nodiscard]] static bool wanted() { return wait_clock.runs && !wait_clock.waits; }
  // Returns the trace that tells this wait, or nullptr.
  [[nodiscard]] trace::Tracer* recorder() const {
    return measured_ ? wait_clock.recorder : nullptr;
  }
  // Pauses between two polls. For a trace the clock is read instead, which takes as long. So the
  // clock need not be read when the wait is over, which would make the call longer.
  void pause() {
    if (measured_ && wait_clock.recorder != nullptr) [[unlikely]]
      polled_ = wait_clock.recorder->now();
    else
      relax();
  }
  // Says that time passes otherwise than by pause(), so that the wait ends later than that.
  void goes_on() { polled_ = 0; }
  void end() {
    if (!measured_) [[likely]]
      return;
    if (wait_clock.recorder != nullptr) wait_clock.recorder->wait_ends(polled_);
    polled_ = 0;
    if (summed_) wait_clock.waited += clock_->now() - wait_clock.begun;
    wait_clock.waits = measured_ = false;
  }

 private:
  Clock* clock_;
  bool measured_ = false;
  bool summed_ = false;
  std::uint64_t polled_ = 0;  // tick of the last pause
};

}  // namespace tutti::transport
