// SPDX-License-Identifier: BSD-3-Clause
// The processes of a machine and how they reach each other.
#pragma once

#include <tutti/tutti.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "stream.hpp"
#include "window.hpp"

namespace tutti::bsp {

// A line of each process that the others look at.
struct alignas(64) ProgressLine {
  std::atomic<std::uint64_t> supersteps;  // how many it has left behind
  std::atomic<std::uint64_t> direct_out;  // bytes that others read directly, and
  std::atomic<std::uint64_t> direct_in;   // wrote, where there is a profile
};

struct Peers {
  tutti_group group{0};
  int pid = 0;
  std::vector<int> endpoints;
  bool reach_windows = false;  // all are on one machine
  Window<ProgressLine> own_progress;
  std::vector<ProgressLine*> progress;  // nullptr where it is out of reach
  std::vector<std::uint64_t> loaded;    // where their programs are

  [[nodiscard]] std::size_t count() const { return endpoints.size(); }
  // A block of another process by its name.
  [[nodiscard]] const StreamBlock* resolve(std::size_t other, std::uint64_t name) const;
};

// Called by all processes of the group.
[[nodiscard]] Peers peers_of(const char* routine, tutti_group group);
// Whether it holds for each of them; called by all.
[[nodiscard]] bool for_all(const char* routine, const Peers& peers, bool mine);

}  // namespace tutti::bsp
