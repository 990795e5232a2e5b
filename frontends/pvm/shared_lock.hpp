// SPDX-License-Identifier: BSD-3-Clause
// A lock in a shared record. If its holder dies, the next task gets the lock and repairs what that
// holder may have left half changed. A record starts as zeroes: the first task makes the mutex, and
// if that task dies meanwhile, another one makes it.
#pragma once

#include <pthread.h>
#include <tutti/tutti_runtime.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <mutex>
#include <thread>

namespace tutti::pvm {

class SharedLock {
 public:
  // For changes that are shown by one store, so that there is nothing to repair.
  void lock() {
    lock([] {});
  }
  // Calls repair() first if the last holder has died. A task that dies in repair() leaves it to the
  // next one, so repair() may find its own work half done.
  template <class Repair>
  void lock(const Repair& repair) {
    make();
    if (pthread_mutex_lock(&mutex_) != EOWNERDEAD) return;
    repair();
    pthread_mutex_consistent(&mutex_);
  }
  void unlock() { pthread_mutex_unlock(&mutex_); }

  // Returns the state while the process at this endpoint makes the mutex.
  static constexpr std::uint32_t made_by(int endpoint) {
    return first_maker + static_cast<std::uint32_t>(endpoint);
  }

 private:
  enum : std::uint32_t { nothing, ready, first_maker };

  void make() {
    while (true) {
      std::uint32_t state = state_.load();
      if (state == ready) return;
      const bool unmade =
          state == nothing || tutti_present(static_cast<int>(state - first_maker)) == 0;
      if (unmade && state_.compare_exchange_strong(
                        state, made_by(tutti_endpoint(tutti_world(), tutti_rank(tutti_world()))))) {
        initialise();
        state_.store(ready);
        return;
      }
      std::this_thread::yield();
    }
  }

  void initialise() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex_, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }

  std::atomic<std::uint32_t> state_;
  pthread_mutex_t mutex_;
};

// Holds a lock for a scope, with what it guards repaired.
template <class Repair>
[[nodiscard]] std::unique_lock<SharedLock> hold(SharedLock& lock, const Repair& repair) {
  lock.lock(repair);
  return {lock, std::adopt_lock};
}

// Keeps the order of the stores before and after it for a process that is killed between them. The
// kernel ends a process between two instructions, so only the compiler could change the order.
inline void in_this_order() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace tutti::pvm
