// SPDX-License-Identifier: BSD-3-Clause
// The signals that a supervisor handles while it works, and the settings that it gives back to the
// processes it starts.
#pragma once

#include <csignal>

#include "launch/descriptor.hpp"

namespace tutti::launch {

// The signal mask and the dispositions that survive exec, as they were before the supervisor
// changed them.
class SignalSettings {
 public:
  SignalSettings();
  // Restores these settings. Safe between fork and exec.
  void restore() const;

 private:
  sigset_t mask_{};
  struct sigaction pipe_ {};
  struct sigaction child_ {};
};

// Blocks the signals that the supervisor handles and delivers them through the descriptor that is
// returned. Ignores SIGPIPE.
[[nodiscard]] Descriptor take_over_signals();

// Resets all handlers in a forked copy of a user's program, because none of the program's handlers
// may run there.
void drop_handlers();

}  // namespace tutti::launch
