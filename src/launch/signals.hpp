// SPDX-License-Identifier: BSD-3-Clause
// The signals a supervisor takes over while it works, and what it must give back to the processes
// it starts.
#pragma once

#include <csignal>

#include "launch/descriptor.hpp"

namespace tutti::launch {

// The mask and the dispositions that survive exec, as they were before the supervisor changed them.
class SignalSettings {
 public:
  SignalSettings();
  // Safe between fork and exec.
  void restore() const;

 private:
  sigset_t mask_{};
  struct sigaction pipe_ {};
  struct sigaction child_ {};
};

// Blocks what the supervisor handles and delivers it through the descriptor returned; ignores
// SIGPIPE.
[[nodiscard]] Descriptor take_over_signals();

// In a forked copy of a user's program: no handler of the program may run any more.
void drop_handlers();

}  // namespace tutti::launch
