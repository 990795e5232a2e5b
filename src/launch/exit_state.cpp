// SPDX-License-Identifier: BSD-3-Clause
// The handlers of fork, exit and SIGTERM act for the whole process and get no argument of ours, so
// they find what they need in current_exit_state, the only process-wide state.
#include "launch/exit_state.hpp"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "base/uninterrupted.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Endpoint;
using transport::shm::Presence;

std::atomic<ExitState*> current_exit_state{nullptr};

void after_fork_in_child() {
  ExitState* exit_state = current_exit_state.exchange(nullptr);
  if (exit_state == nullptr) return;
  exit_state->valid.store(false);
  if (exit_state->death_pipe >= 0) ::close(exit_state->death_pipe);
  if (exit_state->pool >= 0) ::close(exit_state->pool);
  if (exit_state->monitor >= 0) ::close(exit_state->monitor);
  // Where there are no pidfds, the supervisor takes the end of this socket for that of the parent.
  if (exit_state->supervisor >= 0) ::close(exit_state->supervisor);
}

// Waits until all other processes have ended. When the process that the user started is gone, the
// job must be over: its output complete, its terminal free.
void wait_for_others(int supervisor) {
  // Failure is harmless: the files are the program's own, which asks them for errors.
  std::fflush(nullptr);
  if (!send_message(supervisor, {ControlKind::leaving, 0})) return;
  try {
    auto message = receive_or_end(supervisor);
    while (message && message->message.kind != ControlKind::others_done)
      message = receive_or_end(supervisor);
  } catch (const base::Error& error) {
    base::notice("tutti: this process ends before the others: {}\n", error.what());
  }
}

// Runs in the root process when it gets SIGTERM. Its shell shall see the job's exit code, as it
// does under tutti run, and not that of a process that a signal has ended. All calls here are
// allowed in a signal handler.
void on_sigterm(int signal) {
  const ExitState* exit_state = current_exit_state.load();
  const int supervisor = exit_state == nullptr ? -1 : exit_state->supervisor;
  ControlMessage message{};
  while (supervisor >= 0 && ::recv(supervisor, &message, sizeof message, MSG_DONTWAIT) ==
                                static_cast<ssize_t>(sizeof message)) {
    if (message.kind == ControlKind::job_ended) ::_exit(message.rank);
  }
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  ::raise(signal);  // it arrives when this handler returns
}

void at_exit(int code, void*) {
  const ExitState* exit_state = current_exit_state.load();
  if (exit_state == nullptr) return;
  Endpoint* endpoint = exit_state->endpoint;
  if (endpoint != nullptr) note_exit_code(*endpoint, code);
  const bool finished = endpoint == nullptr || endpoint->presence.load() == Presence::finalized;
  if (finished && exit_state->supervisor >= 0) wait_for_others(exit_state->supervisor);
}

void install_handlers() {
  static const bool once = [] {
    if (::pthread_atfork(nullptr, nullptr, after_fork_in_child) != 0 ||
        ::on_exit(at_exit, nullptr) != 0)
      base::fail(base::Status::out_of_memory, "no memory for what is done at fork and exit");
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

std::optional<Received> receive_or_end(int supervisor) {
  ControlMessage next{};
  const ssize_t got =
      base::uninterrupted([&] { return ::recv(supervisor, &next, sizeof next, MSG_PEEK); });
  const bool ended =
      got == static_cast<ssize_t>(sizeof next) && next.kind == ControlKind::job_ended;
  if (ended) ::_exit(next.rank);
  return receive_message(supervisor);
}

void note_exit_code(Endpoint& endpoint, int code) {
  forget_exit_code(endpoint);
  endpoint.exit_note.fetch_or(1U + static_cast<unsigned>(code & 0xff));
}

void forget_exit_code(Endpoint& endpoint) {
  endpoint.exit_note.fetch_and(~code_in_note);
}

void act_at_exit(ExitState& state) {
  install_handlers();
  current_exit_state.store(&state);
}

void end_as_the_job_ends() {
  struct sigaction found {};
  if (::sigaction(SIGTERM, nullptr, &found) != 0 || found.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = on_sigterm;
  ::sigaction(SIGTERM, &ours, nullptr);
}

void forget_at_exit(ExitState& state) {
  ExitState* expected = &state;
  current_exit_state.compare_exchange_strong(expected, nullptr);
}

}  // namespace tutti::launch
