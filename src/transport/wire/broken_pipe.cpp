// SPDX-License-Identifier: BSD-3-Clause
// The kernel sends SIGPIPE to the thread that has written, so its handler knows which call it is
// in.
#include "transport/wire/broken_pipe.hpp"

#include <poll.h>

#include <cerrno>
#include <csignal>

namespace tutti::transport::wire {
namespace {

constexpr int patience = 1000;  // milliseconds

}  // namespace

std::atomic<pthread_t> CallOfMpi::caller{0};

// All calls here are allowed in a signal handler.
void CallOfMpi::on_sigpipe(int signal) {
  if (caller.load(std::memory_order_relaxed) == ::pthread_self()) {
    const int before = errno;
    ::poll(nullptr, 0, patience);
    errno = before;
    return;
  }
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  ::sigaction(signal, &usual, nullptr);
  ::raise(signal);  // it arrives when this handler returns
}

void CallOfMpi::outlast_broken_pipes() {
  struct sigaction found {};
  if (::sigaction(SIGPIPE, nullptr, &found) != 0 || found.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = on_sigpipe;
  ours.sa_flags = SA_RESTART;
  ::sigaction(SIGPIPE, &ours, nullptr);
}

}  // namespace tutti::transport::wire
