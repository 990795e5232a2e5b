// SPDX-License-Identifier: BSD-3-Clause
// How long a rank waits for another host before the failure monitor says so: the rows silence and
// silence_ends of the tuning table.
#pragma once

#include <chrono>
#include <optional>

#include "base/tuning.hpp"

namespace tutti::launch {

struct Silence {
  std::chrono::milliseconds limit{};
  bool ends = false;  // a host that is silent for so long ends the job
};

// Returns nullopt if nothing is to be said.
[[nodiscard]] inline std::optional<Silence> silence_of(const base::Tuning& tuning) {
  if (tuning.silence == 0) return std::nullopt;
  const std::chrono::nanoseconds limit(tuning.silence);
  return Silence{std::chrono::duration_cast<std::chrono::milliseconds>(limit),
                 tuning.silence_ends != 0};
}

}  // namespace tutti::launch
