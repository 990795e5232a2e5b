// SPDX-License-Identifier: BSD-3-Clause
// Refuses a call while another thread of this process is inside one, or has ended inside one. The
// state of a process has no locks, so it serves one thread at a time; threads may call tutti one
// after the other. Every call passes here, so the check is a comparison of two addresses, without a
// lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "api/process.hpp"

namespace tutti::api {

// The number of interfaces that this thread is inside of, each called by the one before. The
// address names the thread.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local int interfaces;

// Process::occupant is the thread that is inside a call, named by the address of its `interfaces`.
// While none is, it is the thread that was the last one, named by the address behind; nullptr if
// there is no such thread.

// Returns the value of `occupant` after a call of this thread.
inline const void* after_this_thread() {
  return reinterpret_cast<const char*>(&interfaces) + 1;
}

// Returns true if a value of `occupant` says that a thread is inside a call, or has ended inside
// one.
inline bool is_inside(const void* found) {
  return found != nullptr && reinterpret_cast<std::uintptr_t>(found) % 2 == 0;
}

// A call of tutti, as long as this object lives. Calls may be nested: a function of the program
// that tutti calls may call tutti.
class Inside {
 public:
  // Throws Error(wrong_thread) if another thread is inside a call, or has ended inside one.
  [[gnu::always_inline]] Inside() : is_nested_(occupy()) {}
  ~Inside() {
    if (!is_nested_) process.occupant.store(after_this_thread(), std::memory_order_relaxed);
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

  // Throws Error(wrong_thread) if another thread has entered a call at the same moment as this one,
  // so that neither saw the other. Called at the end of the call.
  void check_alone() const {
    if (process.occupant.load(std::memory_order_relaxed) != &interfaces) [[unlikely]]
      refuse();
  }

  // Makes this thread the occupant. Returns true if it was that before. Throws Error(wrong_thread).
  [[gnu::always_inline]] static bool occupy() {
    const void* const found = process.occupant.load(std::memory_order_relaxed);
    if (found != after_this_thread()) {
      if (found == &interfaces) return true;
      take_over_from(found);
    }
    process.occupant.store(&interfaces, std::memory_order_relaxed);
    return false;
  }

 private:
  // Called before this thread makes its first call, or its first after one of another thread.
  static void take_over_from(const void* found);
  [[noreturn]] static void refuse();

  bool is_nested_;
};

// Enter and leave a call of a front end. The calls of tutti in between are nested in it. A pair may
// be nested in another pair, or in a call of tutti. enter() throws Error(wrong_thread) if another
// thread is inside a call; then there is nothing to leave.
void enter();
void leave();
// Called in a child made by fork(), in which the thread that was inside does not exist.
void forget_occupant();

}  // namespace tutti::api
