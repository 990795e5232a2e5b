// SPDX-License-Identifier: BSD-3-Clause
// A question that a waiting call asks again and again: whether it should stop waiting.
#pragma once

namespace tutti::transport {

struct GiveUp {
  bool (*asked)(void* user) = nullptr;  // nullptr: never
  void* user = nullptr;

  [[nodiscard]] bool now() const { return asked != nullptr && asked(user); }
};

}  // namespace tutti::transport
