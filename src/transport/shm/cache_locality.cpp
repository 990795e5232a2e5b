// SPDX-License-Identifier: BSD-3-Clause
// Keeps the score of CacheLocality from one load in four.
#include "transport/shm/cache_locality.hpp"

#include <algorithm>

namespace tutti::transport::shm {

void CacheLocality::count(Clock::duration taken) {
  until_next_ = tuning_->far_look_every;
  const bool far = taken > std::chrono::nanoseconds(tuning_->far_line);
  score_ = std::clamp<std::int64_t>(score_ + (far ? 1 : -1), 0, tuning_->far_score);
}

}  // namespace tutti::transport::shm
