// SPDX-License-Identifier: BSD-3-Clause
// A lock in a shared record. The death of its holder frees it: what it guards is changed in one step, or repaired by the
// next holder. A record starts as zeroes, so the first to come makes the mutex.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <thread>

namespace tutti::pvm {

class SharedLock {
 public:
  void lock() {
    make();
    if (pthread_mutex_lock(&mutex_) == EOWNERDEAD) pthread_mutex_consistent(&mutex_);
  }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  enum : std::uint32_t { nothing, being_made, ready };

  void make() {
    std::uint32_t state = nothing;
    if (state_.load() == ready) return;
    if (state_.compare_exchange_strong(state, being_made)) {
      pthread_mutexattr_t attributes;
      pthread_mutexattr_init(&attributes);
      pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
      pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
      pthread_mutex_init(&mutex_, &attributes);
      pthread_mutexattr_destroy(&attributes);
      state_.store(ready);
    }
    while (state_.load() != ready) std::this_thread::yield();
  }

  std::atomic<std::uint32_t> state_;
  pthread_mutex_t mutex_;
};

}  // namespace tutti::pvm
