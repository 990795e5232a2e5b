// SPDX-License-Identifier: BSD-3-Clause
// The time that a caller waits, and the predicate that may end its wait earlier. Waits of the C
// interface that have an end use it.
#pragma once

#include "transport/wait_end.hpp"
#include "tutti/tutti_runtime.h"

namespace tutti::api {

class WaitLimit {
 public:
  // A negative number of seconds means for ever.
  explicit WaitLimit(const transport::Clock& clock, double seconds,
                     tutti_give_up_fn give_up = nullptr, void* user = nullptr)
      : give_up_(give_up), user_(user) {
    if (seconds >= 0) deadline_ = transport::time_in(clock, seconds);
  }
  // The result refers to this object.
  [[nodiscard]] transport::WaitEnd end() {
    if (give_up_ == nullptr) return {.deadline = deadline_};
    return {{[](void* self) {
               const auto& limit = *static_cast<WaitLimit*>(self);
               return limit.give_up_(limit.user_) != 0;
             },
             this},
            deadline_};
  }

 private:
  tutti_give_up_fn give_up_;
  void* user_;
  std::uint64_t deadline_ = transport::never;
};

}  // namespace tutti::api
