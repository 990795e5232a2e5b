// SPDX-License-Identifier: BSD-3-Clause
// One wait of an endpoint, from the first failed look to the moment it may go on. When the wait
// ends, by an exception as well, the endpoint is no longer shown as waiting.
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
  // Something has come: what was waited for is no longer true.
  void over() {
    if (idle_) transport_->awake();
    idle_ = false;
  }

 private:
  Transport* transport_;
  bool idle_ = false;
};

}  // namespace tutti::transport
