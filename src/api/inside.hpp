// SPDX-License-Identifier: BSD-3-Clause
// Refuses a call while another thread of this process is inside one. The state of a process has no
// locks, so it serves one thread at a time; threads may call tutti one after the other. Every call
// passes here, so the check is a comparison of two addresses, without a lock.
#pragma once

#include <atomic>

namespace tutti::api {

// The number of interfaces that this thread is inside of, each called by the one before. The
// address names the thread.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local int interfaces;

// The thread that is inside a call, named by the address of its `interfaces`; nullptr if none is.
extern constinit std::atomic<const void*> occupant;

// A call of tutti, as long as this object lives. Calls may be nested: a function of the program
// that tutti calls may call tutti.
class Inside {
 public:
  // Throws Error(wrong_thread) if another thread is inside a call.
  Inside() : outer_(occupant.load(std::memory_order_relaxed)) {
    if (outer_ == nullptr) [[likely]] {
      occupant.store(&interfaces, std::memory_order_relaxed);
    } else if (outer_ != &interfaces) {
      refuse();
    }
  }
  ~Inside() {
    if (outer_ == nullptr) occupant.store(nullptr, std::memory_order_relaxed);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  // Throws Error(wrong_thread) if another thread has entered a call at the same moment as this one,
  // so that neither saw the other. Called at the end of the call.
  void check_alone() const {
    if (occupant.load(std::memory_order_relaxed) != &interfaces) [[unlikely]]
      refuse();
  }

  [[noreturn]] static void refuse();

 private:
  const void* outer_;
};

// Enter and leave a call of a front end. The calls of tutti in between are nested in it. A pair may
// be nested in another pair, or in a call of tutti. enter() throws Error(wrong_thread) if another
// thread is inside a call; then there is nothing to leave.
void enter();
void leave();
// Called in a child made by fork(), in which the thread that was inside does not exist.
void forget_occupant();

}  // namespace tutti::api
