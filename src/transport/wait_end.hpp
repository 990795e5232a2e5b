// SPDX-License-Identifier: BSD-3-Clause
// Names the things that may end a wait besides that which is waited for.
#pragma once

#include "transport/clock.hpp"

namespace tutti::transport {

// A predicate that a wait asks after failed polls, and that answers whether to stop waiting.
struct GiveUp {
  bool (*asked)(void* user) = nullptr;  // nullptr: never give up
  void* user = nullptr;

  [[nodiscard]] bool possible() const { return asked != nullptr; }
  [[nodiscard]] bool now() const { return asked != nullptr && asked(user); }
};

// The end that one call sets to its wait.
struct WaitEnd {
  GiveUp give_up{};
  std::uint64_t deadline = never;  // by the job's clock; in virtual time, nanoseconds from now on
  GiveUp question{};               // ends the wait by an error, like the predicate of the job

  [[nodiscard]] bool in_time() const { return deadline != never; }
  [[nodiscard]] bool possible() const { return give_up.possible() || in_time(); }
  [[nodiscard]] bool now(const Clock& clock) const {
    return give_up.now() || (in_time() && clock.now() >= deadline);
  }
};

}  // namespace tutti::transport
