// SPDX-License-Identifier: BSD-3-Clause
// Measures for how long this process waits for others, if a front end asks for it, and records each
// wait in the trace, if there is one. The Waiter of a job has one, and tells it of each wait.
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

// The time from begin() to end() in which this process has nothing to do. Costs a comparison if
// nobody asks. A wait within a wait counts once. `peer` is the endpoint that it waits for, or -1.
class Stall {
 public:
  Stall(WaitClock& waits, const Clock& clock) : waits_(&waits), clock_(&clock) {}
  ~Stall() { end(); }
  Stall(const Stall&) = delete;
  Stall& operator=(const Stall&) = delete;

  void begin(int peer = trace::nobody) {
    if (!waits_->runs || waits_->waits) [[likely]]
      return;
    if (waits_->recorder != nullptr) waits_->recorder->wait_begins(peer);
    if (waits_->sums) waits_->begun = clock_->now();
    waits_->waits = measured_ = true;
    summed_ = waits_->sums;
  }
  // Returns true if a begin() that came now would have an effect.
  [[nodiscard]] bool wanted() const { return waits_->runs && !waits_->waits; }
  // Returns the trace that tells this wait, or nullptr.
  [[nodiscard]] trace::Tracer* recorder() const { return measured_ ? waits_->recorder : nullptr; }
  // Pauses between two polls. For a trace the clock is read instead, which takes as long. So the
  // clock need not be read when the wait is over, which would make the call longer.
  void pause() {
    if (measured_ && waits_->recorder != nullptr) [[unlikely]]
      polled_ = waits_->recorder->now();
    else
      relax();
  }
  // Says that time passes otherwise than by pause(), so that the wait ends later than that.
  void goes_on() { polled_ = 0; }
  void end() {
    if (!measured_) [[likely]]
      return;
    if (waits_->recorder != nullptr) waits_->recorder->wait_ends(polled_);
    polled_ = 0;
    if (summed_) waits_->waited += clock_->now() - waits_->begun;
    waits_->waits = measured_ = false;
  }

 private:
  WaitClock* waits_;
  const Clock* clock_;
  bool measured_ = false;
  bool summed_ = false;
  std::uint64_t polled_ = 0;  // tick of the last pause
};

}  // namespace tutti::transport
