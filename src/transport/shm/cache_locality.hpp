// SPDX-License-Identifier: BSD-3-Clause
// Estimates whether the readers of this process's memory are near or far, from the time that a line
// takes to come that one of them has just written. A virtual machine may move its processors at any
// time, so the estimate never ends. The send arena and ShmMail use it.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/tuning.hpp"
#include "transport/shared.hpp"

namespace tutti::transport::shm {

class CacheLocality {
 public:
  explicit CacheLocality(const base::Tuning& tuning) : tuning_(&tuning) {}
  // Loads `number` and times the load now and then. The time counts only if `is_new` says that
  // another process has written the number since the last load, because an older line may lie in
  // this processor's cache.
  template <class Number, class IsNew>
  Number load(const Shared<Number>& number, const IsNew& is_new) {
    if (--until_next_ > 0) return number.see();
    const auto begun = Clock::now();
    const Number found = number.see();
    const auto taken = Clock::now() - begun;
    if (is_new(found)) count(taken);
    return found;
  }
  [[nodiscard]] bool is_far() const { return score_ > tuning_->far_score / 2; }
  // Returns true if `bytes` bytes are better written past this processor's caches. Short messages
  // are not: waiting until they have reached memory takes longer than fetching them out of these
  // caches.
  [[nodiscard]] bool non_temporal(std::uint64_t bytes) const {
    return bytes > static_cast<std::uint64_t>(tuning_->non_temporal_from) && is_far();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void count(Clock::duration taken);

  const base::Tuning* tuning_;
  std::int64_t until_next_ = 1;
  std::int64_t score_ =
      0;  // goes up with each line from a far processor, down with each other line
};

}  // namespace tutti::transport::shm
