// SPDX-License-Identifier: BSD-3-Clause
// How far the readers of this process's memory are at present: by how long a line takes to come
// that one of them has just written. A virtual machine may move its processors at any time, so the
// estimate runs (decision 0030).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace tutti::transport::shm {

class CacheLocality {
 public:
  // The number, now and then with a look at the clock. `is_new` tells of what was found whether
  // another process has written it since the last load; what nobody has written was perhaps here.
  template <class Number, class IsNew>
  Number load(const std::atomic<Number>& number, const IsNew& is_new) {
    if (--until_next_ > 0) return number.load(std::memory_order_acquire);
    const auto begun = Clock::now();
    const Number found = number.load(std::memory_order_acquire);
    const auto taken = Clock::now() - begun;
    if (is_new(found)) count(taken);
    return found;
  }
  [[nodiscard]] bool is_far() const { return score_ > highest / 2; }
  // Returns true if so many bytes had better not lie in this processor's caches. Fetching a few
  // bytes out of these caches takes less time than waiting until they have reached memory.
  [[nodiscard]] bool non_temporal(std::uint64_t bytes) const {
    return bytes > most_through_caches && is_far();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int highest = 8;
  static constexpr std::uint64_t most_through_caches = 8 * 1024;
  void count(Clock::duration taken);

  int until_next_ = 1;
  int score_ = 0;  // up with each line that came from far, down with each other
};

}  // namespace tutti::transport::shm
