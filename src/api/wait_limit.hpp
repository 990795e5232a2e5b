// SPDX-License-Identifier: BSD-3-Clause
// The time that a caller waits, and the predicate that may end its wait earlier. Waits of the C
// interface that have an end use it.
#pragma once

#include <chrono>
#include <optional>

#include "transport/give_up.hpp"
#include "tutti/tutti_runtime.h"

namespace tutti::api {

class WaitLimit {
 public:
  // A negative number of seconds, and one beyond `longest`, means for ever.
  explicit WaitLimit(double seconds, tutti_give_up_fn give_up = nullptr, void* user = nullptr)
      : give_up_(give_up), user_(user) {
    if (!(seconds >= 0 && seconds <= longest)) return;
    deadline_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  // The question refers to this object.
  [[nodiscard]] transport::GiveUp question() {
    if (give_up_ == nullptr && !deadline_) return {};
    return {[](void* self) { return static_cast<WaitLimit*>(self)->exhausted(); }, this,
            deadline_.has_value()};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double longest = 1e9;  // in seconds

  [[nodiscard]] bool exhausted() const {
    return (give_up_ != nullptr && give_up_(user_) != 0) ||
           (deadline_ && Clock::now() >= *deadline_);
  }

  tutti_give_up_fn give_up_;
  void* user_;
  std::optional<Clock::time_point> deadline_;
};

}  // namespace tutti::api
