// SPDX-License-Identifier: BSD-3-Clause
// One wait of an endpoint, from the first failed poll until it may go on. However the wait ends,
// also by an exception, the endpoint is then no longer shown as waiting. All waiting loops of
// engine and services use it.
#pragma once

#include "base/error.hpp"
#include "transport/relax.hpp"
#include "transport/transport.hpp"
#include "transport/wait_clock.hpp"

namespace tutti::transport {

class Wait {
 public:
  explicit Wait(Transport& transport) : transport_(&transport) {}
  ~Wait() { over(); }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  // Called when there is nothing to do, before polls that precede idle().
  void begin(int peer = trace::nobody) { stall_.begin(peer); }
  // Called between two polls that precede idle().
  void relax(int peer = trace::nobody) {
    begin(peer);
    transport::relax();
  }
  // Called after a failed poll beyond those. Throws Error(would_wait) if the question of the
  // transport ends the wait.
  void idle(int turn, const Waiting& waiting) {
    begin();
    if (transport_->question().now()) [[unlikely]]
      base::fail(base::Status::would_wait, "this process has given up its wait");
    idle_ = true;
    if (stall_.measured()) tell_trace(waiting);
    transport_->idle(turn, waiting);
  }
  // Ends the wait; another one may begin.
  void over() {
    stall_.end();
    if (idle_) transport_->awake();
    idle_ = false;
  }

 private:
  static void tell_trace(const Waiting& waiting) {
    trace::Tracer* const recorder = wait_clock.recorder;
    if (recorder == nullptr) return;
    recorder->still_waits();
    if (!waiting.endpoints.empty())
      recorder->wait_is_for(waiting.endpoints.front(), waiting.endpoints.size() - 1);
  }

  Transport* transport_;
  Stall stall_;
  bool idle_ = false;
};

}  // namespace tutti::transport
