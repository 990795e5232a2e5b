// SPDX-License-Identifier: BSD-3-Clause
// A cancel predicate: a waiting call of the engine or of a service asks it after each failed poll
// whether to stop waiting.
#pragma once

namespace tutti::transport {

struct GiveUp {
  bool (*asked)(void* user) = nullptr;  // nullptr: never give up
  void* user = nullptr;
  bool in_time = false;  // it ends the wait after some time, even if no other process does anything

  [[nodiscard]] bool possible() const { return asked != nullptr; }
  [[nodiscard]] bool now() const { return asked != nullptr && asked(user); }
};

}  // namespace tutti::transport
