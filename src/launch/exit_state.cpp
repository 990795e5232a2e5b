// SPDX-License-Identifier: BSD-3-Clause
// Fork and exit handlers take no argument and act for the whole process, so they find what they
// need in current_exit_state, the only process-wide state.
#include "launch/exit_state.hpp"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "launch/descriptor.hpp"

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
  // Where there are no pidfds, the supervisor takes the end of this socket for that of the parent.
  if (exit_state->supervisor >= 0) ::close(exit_state->supervisor);
}

// Waits until all other processes have ended. When the process that the user started is gone, the
// job must be over: its output complete, its terminal free.
void wait_for_others(int supervisor) {
  std::fflush(nullptr);
  if (!send_message(supervisor, {ControlKind::leaving, 0})) return;
  auto message = receive_message(supervisor);
  while (message && message->message.kind != ControlKind::others_done)
    message = receive_message(supervisor);
}

void at_exit(int code, void*) {
  const ExitState* exit_state = current_exit_state.load();
  if (exit_state == nullptr) return;
  Endpoint* endpoint = exit_state->endpoint;
  if (endpoint != nullptr) endpoint->exit_note.store(1U + static_cast<unsigned>(code & 0xff));
  const bool finished = endpoint == nullptr || endpoint->presence.load() == Presence::finalized;
  if (finished && exit_state->supervisor >= 0) wait_for_others(exit_state->supervisor);
}

void install_handlers() {
  static const bool once = [] {
    ::pthread_atfork(nullptr, nullptr, after_fork_in_child);
    ::on_exit(at_exit, nullptr);
    return true;
  }();
  static_cast<void>(once);
}

}  // namespace

void act_at_exit(ExitState& state) {
  install_handlers();
  current_exit_state.store(&state);
}

void forget_at_exit(ExitState& state) {
  ExitState* expected = &state;
  current_exit_state.compare_exchange_strong(expected, nullptr);
}

}  // namespace tutti::launch
