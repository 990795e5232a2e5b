// SPDX-License-Identifier: BSD-3-Clause
// How long a rank waits for another host before the failure monitor says so, and how it learns
// whether that host lives: the rows silence, silence_ends, hosts_watched and hosts_connect of the
// tuning table.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "base/tuning.hpp"

namespace tutti::launch {

struct Silence {
  std::chrono::milliseconds limit{};
  bool ends = false;                   // a host that is silent for so long ends the job
  std::size_t most_hosts = 0;          // with more of them there are no connections
  std::chrono::nanoseconds connect{};  // time from the start of the job in which they are made
};

// Returns nullopt if nothing is to be said.
[[nodiscard]] inline std::optional<Silence> silence_of(const base::Tuning& tuning) {
  if (tuning.silence == 0) return std::nullopt;
  const std::chrono::nanoseconds limit(tuning.silence);
  return Silence{std::chrono::duration_cast<std::chrono::milliseconds>(limit),
                 tuning.silence_ends != 0, static_cast<std::size_t>(tuning.hosts_watched),
                 std::chrono::nanoseconds(tuning.hosts_connect)};
}

}  // namespace tutti::launch
