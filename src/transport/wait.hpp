// SPDX-License-Identifier: BSD-3-Clause
// One wait of an endpoint, from the first failed poll until it may go on. However the wait ends,
// also by an exception, the endpoint is then no longer shown as waiting. All waiting loops of
// engine and services use it.
#pragma once

#include "transport/transport.hpp"

namespace tutti::transport {

class Wait {
 public:
  explicit Wait(Transport& transport) : transport_(&transport) {}
  ~Wait() { over(); }
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;

  void idle(int turn, const Waiting& waiting) {
    idle_ = true;
    transport_->idle(turn, waiting);
  }
  // Ends the wait; idle() may begin another one.
  void over() {
    if (idle_) transport_->awake();
    idle_ = false;
  }

 private:
  Transport* transport_;
  bool idle_ = false;
};

}  // namespace tutti::transport
