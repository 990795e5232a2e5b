// SPDX-License-Identifier: BSD-3-Clause
// The supervisor's part for ends: of the processes, and of the job.
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descendants.hpp"
#include "launch/process.hpp"
#include "launch/supervisor.hpp"

namespace tutti::launch {

// After a failure the root process is ended like the others, so that its exit code is not 0.
void Supervisor::release_root_process() {
  if (!root_process_leaves_ || decision_) return;
  for (int rank = 0; rank < slots(); ++rank) {
    if (rank != root_process_ && !at(rank).done()) return;
  }
  tell(at(root_process_).control, {ControlKind::others_done, root_process_});
  root_process_leaves_ = false;
}

// Sends a message that the other end waits for. If it cannot be sent although there is another end,
// that one would wait for ever, so the job ends. One that is gone waits for nothing.
void Supervisor::tell(const Descriptor& socket, const ControlMessage& message, int passed,
                      std::string_view payload) {
  if (!socket.valid()) return;  // the process has ended meanwhile
  if (send_message(socket.get(), message, passed, payload)) return;
  const int error = errno;
  if (error == EPIPE || error == ECONNRESET || peer_is_gone(socket)) return;
  conclude({1, fmt::format("a message to a process of the job cannot be sent: {}",
                           std::strerror(error))},
           States::omit);
}

// A process that a signal ends has no exit code, so the root process gets that of the job first.
void Supervisor::tell_root_process() {
  if (!decision_ || root_process_ < 0 || !at(root_process_).control.valid()) return;
  const ControlMessage ended{ControlKind::job_ended, decision_->exit_code};
  if (send_message(at(root_process_).control.get(), ended)) return;
  // Without the code, SIGTERM would wake a root process that sleeps in its exit handler to no end.
  first_signal_ = SIGKILL;
}

void Supervisor::send_to_ranks(int signal) {
  for (auto& watched : ranks_) {
    // Failure is harmless: the process has ended, and waitpid() tells how.
    if (!watched.child_done) ::kill(watched.child, signal);
    if (!watched.process_done && watched.process != watched.child) signal_process(watched, signal);
  }
}

bool Supervisor::reap() {
  int status = 0;
  pid_t pid = 0;
  const auto next = [&status] { return ::waitpid(-1, &status, WNOHANG); };
  while ((pid = base::uninterrupted(next)) > 0) {
    const Ending ending = Ending::of_wait_status(status);
    for (int rank = 0; rank < slots(); ++rank) {
      if (at(rank).child == pid && !at(rank).child_done) child_ended(rank, ending);
      if (at(rank).process == pid && !at(rank).process_done)
        process_ended(rank, ending);  // the process is an adopted orphan
    }
  }
  return pid == 0 || errno != ECHILD;
}

// Signals all descendants, and then the processes of the job that are none. Where /proc lists no
// descendants, the job's own processes are all that this supervisor knows.
void Supervisor::signal_everything(int signal) {
  const std::vector<pid_t> below = descendants().value_or(std::vector<pid_t>());
  const auto told = [&below](pid_t pid) {
    return std::find(below.begin(), below.end(), pid) != below.end();
  };
  // Failure is harmless: the process has ended.
  for (const pid_t pid : below) ::kill(pid, signal);
  for (const Watched& watched : ranks_) {
    // Failure is harmless: the process has ended, and waitpid() tells how.
    if (!watched.child_done && !told(watched.child)) ::kill(watched.child, signal);
    if (!watched.process_done && watched.process != watched.child && !told(watched.process))
      signal_process(watched, signal);
  }
}

// Looks at the processes that are no children of this one, also at those of which no event tells,
// because the system has refused to watch them.
void Supervisor::look_for_ends() {
  for (int rank = 0; rank < slots(); ++rank) {
    if (at(rank).process_done || !at(rank).pidfd.valid()) continue;
    pollfd end{at(rank).pidfd.get(), POLLIN, 0};
    if (::poll(&end, 1, 0) > 0) on_process(rank);
  }
}

// Ends all descendants. Orphans become children of this process, so if no child is left, no
// descendant is left. Where /proc does not list them, only those that are known can be ended.
void Supervisor::end_everything() {
  const auto impatient_at = Clock::now() + std::chrono::nanoseconds(mapping_.tuning().patience);
  int signal = first_signal_;
  for (bool told = false;;) {
    const bool children_left = reap();
    look_for_ends();
    if (!children_left && all_done()) return;
    if (all_done() && !proc_is_ours()) {
      return say(
          fmt::format("{}: programs that the ranks have started may still run: without "
                      "/proc they cannot be found\n",
                      options_.name));
    }
    if (!told || signal == SIGKILL) {
      signal_everything(signal);
      told = true;
    }
    try {
      wait_for_events(10);
    } catch (const base::Error&) {
      // Without events nobody is given time, and the end of a process that is no child of this one
      // cannot be seen.
      if (signal == SIGKILL && !children_left) return;
      signal = SIGKILL;
    }
    if (Clock::now() >= impatient_at) signal = SIGKILL;
  }
}

}  // namespace tutti::launch
