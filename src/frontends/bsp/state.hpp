// SPDX-License-Identifier: BSD-3-Clause
// Everything BSPlib remembers between calls: the machine of processes between bsp_begin and bsp_end, and where the
// program stands before and after.
#pragma once

#include <tutti/tutti.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "agreement.hpp"
#include "inbox.hpp"
#include "registry.hpp"
#include "traffic.hpp"

namespace tutti::bsp {

// In shared memory, one for each process: how many supersteps it has left behind.
struct alignas(64) Progress {
  std::atomic<std::uint64_t> supersteps;
};

struct Machine {
  tutti_group group{0};
  int pid = 0;
  int count = 1;
  std::vector<int> endpoints;
  std::uint64_t superstep = 0;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  bool reach_windows = false;  // all processes are on one machine
  Progress* progress = nullptr;
  std::vector<std::uint64_t> seen_progress;
  Registry registry;
  Traffic traffic;
  Inbox inbox;
  std::uint64_t send_tag_size = 0;  // of messages sent in this superstep
  std::uint64_t next_tag_size = 0;  // from the next one on
};

enum class Phase : std::uint8_t { before, running, ended };

struct State {
  Phase phase = Phase::before;
  void (*spmd)() = nullptr;          // as given to bsp_init
  std::unique_ptr<Machine> machine;  // only while running
  int last_pid = 0, last_count = 1;  // after bsp_end
};

[[nodiscard]] State& state();

// nullptr unless between bsp_begin and bsp_end.
extern Machine* current;
[[nodiscard]] inline Machine* running() {
  return current;
}
[[noreturn]] void reject_call(const char* routine);
// Ends all unless between bsp_begin and bsp_end.
[[nodiscard]] inline Machine& machine(const char* routine) {
  if (current == nullptr) [[unlikely]]
    reject_call(routine);
  return *current;
}

}  // namespace tutti::bsp
