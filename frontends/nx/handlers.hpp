// SPDX-License-Identifier: BSD-3-Clause
// Functions of the program that are called when a message is over. They run inside of calls of NX:
// at the beginning of any call, and while a call waits.
#pragma once

#include <functional>
#include <list>
#include <vector>

#include "messages.hpp"

namespace tutti::nx {

class MessageHandlers {
 public:
  // Called once with what is known of the message.
  using Action = std::function<void(const tutti_envelope& message)>;

  void on_send(const Outgoing& message, Action action);
  void on_receive(const Incoming& wanted, Action action);
  // Sends a message, too; the action is for the receive.
  void on_both(const Outgoing& message, const Incoming& wanted, Action action);
  // With a state other than 0, handlers wait until it is 0 again. Returns the state before.
  long mask(long state);

  // Returns true if a handler may run now. One never interrupts another.
  [[nodiscard]] bool may_run() const { return !waiting_.empty() && mask_ == 0 && !running_; }
  [[nodiscard]] bool one_runs() const { return running_; }
  // Runs the handlers of all messages that are over now.
  void run() {
    if (may_run()) [[unlikely]]
      run_ready();
  }
  // Waits for a request, and runs handlers meanwhile. Returns the status of the request.
  [[nodiscard]] tutti_status wait(tutti_request& request);

 private:
  struct Handler {
    tutti_request request{0};
    tutti_envelope envelope{};
    long space = 0;
    Action action;
  };
  using Place = std::list<Handler>::iterator;

  Place add(Action action);
  void run_ready();
  void call(Place handler, tutti_status status);

  std::list<Handler> waiting_;  // a list, so that envelopes stay where they are
  std::vector<tutti_request> requests_;
  long mask_ = 0;
  bool running_ = false;
};

// The handlers of this process.
[[nodiscard]] MessageHandlers& handlers();

}  // namespace tutti::nx
