// SPDX-License-Identifier: BSD-3-Clause
// The time that a caller waits, and the predicate that may end its wait earlier. Waits of the C
// interface that have an end use it.
#pragma once

#include <algorithm>

#include "api/process.hpp"
#include "tutti/tutti_time.h"

namespace tutti::api {

class WaitLimit {
 public:
  // A negative number of seconds means for ever.
  explicit WaitLimit(const transport::Clock& clock, double seconds,
                     tutti_give_up_fn give_up = nullptr, void* user = nullptr)
      : predicate_{give_up, user} {
    if (seconds < 0) return;
    deadline_ = tutti_has_virtual_time() != 0
                    ? static_cast<std::uint64_t>(std::min(seconds * 1e9, 9e18))
                    : transport::time_in(clock, seconds);
  }
  // The result refers to this object.
  [[nodiscard]] transport::WaitEnd end() const {
    return {.give_up = predicate_.question(), .deadline = deadline_};
  }

 private:
  CancelPredicate predicate_;
  std::uint64_t deadline_ = transport::never;
};

}  // namespace tutti::api
