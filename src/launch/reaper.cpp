// SPDX-License-Identifier: BSD-3-Clause
// Waits for the supervisor, and then for all that it has left.
#include "launch/reaper.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descendants.hpp"
#include "launch/signals.hpp"

namespace tutti::launch {
namespace {

constexpr useconds_t microseconds_between_looks = 1000;  // where signals cannot be waited for

// Passes a signal on. A signal from a terminal reaches the whole process group, the supervisor
// included.
void pass_on(const signalfd_siginfo& info, pid_t supervisor) {
  // Failure is harmless: the supervisor has ended, which the loop finds out.
  if (info.ssi_code != SI_KERNEL) ::kill(supervisor, static_cast<int>(info.ssi_signo));
}

// Returns true, and how it ended, when the supervisor has ended. Orphans that the reaper has
// adopted may end before.
bool has_ended(pid_t supervisor, int& status) {
  int ended = 0;
  const auto next = [&ended] { return ::waitpid(-1, &ended, WNOHANG); };
  for (pid_t pid = base::uninterrupted(next); pid > 0; pid = base::uninterrupted(next)) {
    if (pid != supervisor) continue;
    status = ended;
    return true;
  }
  return false;
}

int wait_for(pid_t supervisor, const Descriptor& signals) {
  int status = 0;
  while (!has_ended(supervisor, status)) {
    pollfd awaited{signals.get(), POLLIN, 0};
    if (::poll(&awaited, 1, -1) < 0) ::usleep(microseconds_between_looks);
    signalfd_siginfo info{};
    while (::read(signals.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      if (info.ssi_signo != SIGCHLD) pass_on(info, supervisor);
    }
  }
  return status;
}

// Ends what a killed supervisor has left. Each process that ends may leave others.
void end_the_rest() {
  while (::waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD) {
    const auto left = descendants();
    if (!left) return;
    // Failure is harmless: the process has ended.
    for (const pid_t pid : *left) ::kill(pid, SIGKILL);
    ::poll(nullptr, 0, 1);
  }
}

[[noreturn]] void end_like(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit no_core{0, 0};
    // Failure is harmless: there may then be a second file of the core.
    ::setrlimit(RLIMIT_CORE, &no_core);  // the supervisor has written one
    ::signal(WTERMSIG(status), SIG_DFL);
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WEXITSTATUS(status));
}

}  // namespace

Descriptor go_below_reaper() {
  DescriptorPair life = socket_pair(SOCK_STREAM);
  continue_at_end(life.second.get());
  const SignalSettings settings;
  const Descriptor signals = take_over_signals();
  adopt_orphans();
  const pid_t supervisor = ::fork();
  if (supervisor < 0) base::fail_errno("starting the supervisor");
  if (supervisor == 0) {
    settings.restore();
    life.second.reset();
    continue_at_end(life.first.get());
    return std::move(life.first);
  }
  life.first.reset();
  const int status = wait_for(supervisor, signals);
  end_the_rest();
  end_like(status);
}

}  // namespace tutti::launch
