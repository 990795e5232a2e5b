// SPDX-License-Identifier: BSD-3-Clause
// A thread that sleeps, because the process itself is inside of a call of MPI.
#include "transport/wire/late_notice.hpp"

#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

namespace tutti::transport::wire {

// The thread takes no signal of the program. Without a thread there is no notice.
LateNotice::LateNotice(std::chrono::milliseconds after, std::string text)
    : after_(after), text_(std::move(text)) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LateNotice::~LateNotice() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_now_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void LateNotice::watch() {
  std::unique_lock lock(mutex_);
  if (!over_now_.wait_for(lock, after_, [this] { return over_; }))
    std::fprintf(stderr, "tutti: %s\n", text_.c_str());
}

}  // namespace tutti::transport::wire
