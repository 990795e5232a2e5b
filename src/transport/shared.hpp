// SPDX-License-Identifier: BSD-3-Clause
// A word of memory that several processes share, and the only atomic of the segment. The name of
// each access says what it promises, and each declaration of a Shared says who writes it and which
// accesses belong together. transport/shm and the services use it.
#pragma once

#include <atomic>

namespace tutti::transport {

// Zeroed memory is a Shared with the value 0.
template <class T>
class Shared {
 public:
  // publish() and see(): a process that sees the value also sees all that its writer stored before.
  void publish(T value) { word_.store(value, std::memory_order_release); }
  [[nodiscard]] T see() const { return word_.load(std::memory_order_acquire); }

  // put() and peek() promise nothing about other memory. One process puts, others may peek. The
  // writer itself peeks at what it has published.
  void put(T value) { word_.store(value, std::memory_order_relaxed); }
  [[nodiscard]] T peek() const { return word_.load(std::memory_order_relaxed); }

  // Each changes the word in one step, although others change it too, publishes the new value, sees
  // the old one and returns it.
  T add(T number) { return word_.fetch_add(number, std::memory_order_acq_rel); }
  T subtract(T number) { return word_.fetch_sub(number, std::memory_order_acq_rel); }
  T mark(T bits) { return word_.fetch_or(bits, std::memory_order_acq_rel); }
  T clear(T bits) { return word_.fetch_and(static_cast<T>(~bits), std::memory_order_acq_rel); }
  T exchange(T value) { return word_.exchange(value, std::memory_order_acq_rel); }
  // Changes the word from `expected` to `value`. If it has another value, returns false and stores
  // that in `expected`.
  bool replace(T& expected, T value) {
    return word_.compare_exchange_strong(expected, value, std::memory_order_acq_rel,
                                         std::memory_order_acquire);
  }

  // show() and check(): if two processes each show one word and then check the word of the other,
  // at least one of them finds what the other has shown. publish() and see() do not promise that.
  void show(T value) { word_.store(value, std::memory_order_seq_cst); }
  [[nodiscard]] T check() const { return word_.load(std::memory_order_seq_cst); }
  // A replace() that shows the value and checks the word.
  bool show_instead(T& expected, T value) {
    return word_.compare_exchange_strong(expected, value, std::memory_order_seq_cst);
  }

 private:
  std::atomic<T> word_;
  static_assert(std::atomic<T>::is_always_lock_free && sizeof(std::atomic<T>) == sizeof(T));
};

}  // namespace tutti::transport
