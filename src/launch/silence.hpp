// SPDX-License-Identifier: BSD-3-Clause
// How long a rank waits for another host before the failure monitor says so: the variable
// TUTTI_SILENCE.
#pragma once

#include <chrono>
#include <optional>

namespace tutti::launch {

struct Silence {
  std::chrono::milliseconds limit{};
  bool ends = false;  // a host that is silent for so long ends the job
};

// Returns nullopt for "off". Throws Error(bad_environment).
[[nodiscard]] std::optional<Silence> silence_setting();

}  // namespace tutti::launch
