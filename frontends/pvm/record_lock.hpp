// SPDX-License-Identifier: BSD-3-Clause
// A lock in a shared record (tutti_lock). If its holder dies, the next task gets the lock and
// repairs what that holder may have left half changed. A task that dies in its repair leaves that
// to the next one, so a repair may find its own work half done.
#pragma once

#include <tutti/tutti_runtime.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <stdexcept>

namespace tutti::pvm {

class RecordLock {
 public:
  // For changes that are shown by one store, so that there is nothing to repair.
  void lock() {
    lock([] {});
  }
  // `repair` must not throw.
  template <class Repair>
  void lock(const Repair& repair) {
    int half_changed = 0;
    if (tutti_lock(&word_, &half_changed) != TUTTI_OK) throw std::runtime_error(tutti_error_text());
    if (half_changed != 0) repair();
  }
  // Failure is harmless: the lock of another task stays as it is.
  void unlock() { static_cast<void>(tutti_unlock(&word_)); }

 private:
  std::uint32_t word_;
};

// Holds a lock for a scope, with what it guards repaired.
template <class Repair>
[[nodiscard]] std::unique_lock<RecordLock> hold(RecordLock& lock, const Repair& repair) {
  lock.lock(repair);
  return {lock, std::adopt_lock};
}

// Keeps the order of the stores before and after it for a process that is killed between them. The
// kernel ends a process between two instructions, so only the compiler could change the order.
inline void in_this_order() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

}  // namespace tutti::pvm
