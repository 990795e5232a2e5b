// SPDX-License-Identifier: BSD-3-Clause
// The processes of a machine of BSPlib and how they reach each other's memory.
#pragma once

#include <tutti/tutti.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "stream.hpp"
#include "window.hpp"

namespace tutti::bsp {

// A cache line of each process that the other processes read.
struct alignas(64) ProgressLine {
  std::atomic<std::uint64_t> supersteps;  // supersteps completed
  std::atomic<std::uint64_t> direct_out;  // bytes that others have read directly
  std::atomic<std::uint64_t> direct_in;   // bytes that others have written directly; for a profile
};

struct Peers {
  tutti_group group{0};
  int pid = 0;
  std::vector<int> endpoints;
  bool reach_windows = false;  // all processes reach each other's windows
  Window<ProgressLine> own_progress;
  std::vector<ProgressLine*> progress;  // one for each process; nullptr if it is out of reach
  std::vector<std::uint64_t> loaded;    // addresses at which their programs are loaded
  std::vector<std::int64_t> processes;  // their numbers in the system
  std::uint64_t label = 0;              // of 28 bits, which only these processes have

  [[nodiscard]] std::size_t count() const { return endpoints.size(); }
  // Returns the block of another process with this name.
  [[nodiscard]] const StreamBlock* resolve(std::size_t other, std::uint64_t name) const;
};

// Finds the processes of the group. All of them must call it. `number` is that of the group of
// BSPlib in this process; 0: all processes.
[[nodiscard]] Peers peers_of(const char* routine, tutti_group group, int number = 0);
// Returns true if `mine` is true in every process. All processes must call it.
[[nodiscard]] bool for_all(const char* routine, const Peers& peers, bool mine);

}  // namespace tutti::bsp
