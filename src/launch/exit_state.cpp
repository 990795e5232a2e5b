// SPDX-License-Identifier: BSD-3-Clause
// The handlers of fork, exit and SIGTERM act for the whole process and get no argument of ours, so
// they find what they need in the list exit_states, the only process-wide state. Handlers read it
// without the lock, because one may interrupt a thread that has it.
#include "launch/exit_state.hpp"

#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "base/error.hpp"
#include "base/notice.hpp"
#include "base/uninterrupted.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Endpoint;
using transport::shm::Presence;

struct ExitStates {
  std::mutex changing;
  std::atomic<ExitState*> first = nullptr;
};
constinit ExitStates exit_states;

template <class Act>
void for_each_state(const Act& act) {
  for (ExitState* one = exit_states.first.load(); one != nullptr; one = one->next.load()) act(*one);
}

// A child of fork() is no process of the job, so it closes the descriptors of the job. Without
// pidfds a supervisor learns that the parent has ended by the end of its socket, which would not
// come as long as the child has the socket open, too.
void after_fork_in_child() {
  for_each_state([](ExitState& one) {
    one.valid.store(false);
    for (const int descriptor : {one.death_pipe, one.pool, one.monitor, one.supervisor}) {
      if (descriptor >= 0) ::close(descriptor);
    }
  });
  exit_states.first.store(nullptr);
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
  for_each_state([](const ExitState& one) {
    ControlMessage message{};
    while (one.supervisor >= 0 && ::recv(one.supervisor, &message, sizeof message, MSG_DONTWAIT) ==
                                      static_cast<ssize_t>(sizeof message)) {
      if (message.kind == ControlKind::job_ended) ::_exit(message.rank);
    }
  });
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  ::raise(signal);  // it arrives when this handler returns
}

void at_exit(int code, void*) {
  for_each_state([code](const ExitState& one) {
    if (one.endpoint != nullptr) note_exit_code(*one.endpoint, code);
  });
  for_each_state([](const ExitState& one) {
    const bool finished =
        one.endpoint == nullptr || one.endpoint->presence.see() == Presence::finalized;
    if (finished && one.supervisor >= 0) wait_for_others(one.supervisor);
  });
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
  endpoint.exit_note.mark(1U + static_cast<unsigned>(code & 0xff));
}

void forget_exit_code(Endpoint& endpoint) {
  endpoint.exit_note.clear(code_in_note);
}

void act_at_exit(ExitState& state) {
  install_handlers();
  const std::lock_guard lock(exit_states.changing);
  state.next.store(exit_states.first.load());
  exit_states.first.store(&state);
}

void end_as_the_job_ends() {
  struct sigaction found {};
  if (::sigaction(SIGTERM, nullptr, &found) != 0 || found.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = on_sigterm;
  ::sigaction(SIGTERM, &ours, nullptr);
}

void forget_at_exit(ExitState& state) {
  const std::lock_guard lock(exit_states.changing);
  std::atomic<ExitState*>* link = &exit_states.first;
  while (link->load() != nullptr && link->load() != &state) link = &link->load()->next;
  if (link->load() == &state) link->store(state.next.load());
}

}  // namespace tutti::launch
