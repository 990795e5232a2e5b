// SPDX-License-Identifier: BSD-3-Clause
// Sets signal masks and dispositions.
#include "launch/signals.hpp"

#include <sys/signalfd.h>

#include "base/descriptor.hpp"
#include "base/error.hpp"

namespace tutti::launch {

SignalSettings::SignalSettings() {
  ::sigprocmask(SIG_SETMASK, nullptr, &mask_);
  ::sigaction(SIGPIPE, nullptr, &pipe_);
  ::sigaction(SIGCHLD, nullptr, &child_);
}

void SignalSettings::restore() const {
  // Handlers do not survive exec, but could run until then. So only "ignore" is given back.
  if (pipe_.sa_handler != SIG_IGN) ::signal(SIGPIPE, SIG_DFL);
  if (child_.sa_handler == SIG_IGN) ::signal(SIGCHLD, SIG_IGN);
  ::sigprocmask(SIG_SETMASK, &mask_, nullptr);
}

Descriptor take_over_signals() {
  sigset_t handled;
  ::sigemptyset(&handled);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    ::sigaddset(&handled, signal);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);  // an ignored SIGCHLD would lose the exit codes
  ::sigprocmask(SIG_BLOCK, &handled, nullptr);
  const int descriptor = base::raised(::signalfd(-1, &handled, SFD_CLOEXEC | SFD_NONBLOCK));
  if (descriptor < 0) base::fail_errno("the launcher's signals (signalfd)");
  return Descriptor(descriptor);
}

void drop_handlers() {
  for (int signal = 1; signal < SIGRTMAX; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN ||
        action.sa_handler == SIG_DFL) {
      continue;
    }
    ::signal(signal, SIG_DFL);
  }
}

}  // namespace tutti::launch
