// SPDX-License-Identifier: BSD-3-Clause
// Everything BSPlib remembers between calls: the machine of processes between bsp_begin and
// bsp_end, those of its groups, and where the program stands before and after.
#pragma once

#include <tutti/tutti.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "audit.hpp"
#include "block_writer.hpp"
#include "inbox.hpp"
#include "profile.hpp"
#include "registry.hpp"
#include "traffic.hpp"

namespace tutti::bsp {

// All processes, or a group of them, with a table of registrations, messages and supersteps of its
// own.
struct BspMachine {
  explicit BspMachine(Peers members)
      : peers(std::move(members)), pid(peers.pid), count(static_cast<int>(peers.count())) {}
  [[nodiscard]] ProgressLine& progress() const { return *peers.own_progress; }

  const Peers peers;
  const int pid;
  const int count;
  int group = 0;  // its number; 0: all processes
  std::uint64_t superstep = 0;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::vector<std::uint64_t> seen_progress = std::vector<std::uint64_t>(peers.count());
  Registry registry{peers};
  Traffic traffic{peers};
  BlockWriter writer;
  MessageQueue inbox;
  std::uint64_t send_tag_size = 0;  // of messages sent in this superstep
  std::uint64_t next_tag_size = 0;  // from the next one on
  std::unique_ptr<Audit> audit;     // in safe mode
  std::unique_ptr<CallProfile> profile;
  Volume direct;      // of bsp_hpput and bsp_hpget in this superstep, where there is a profile
  bool gets = false;  // there was a bsp_get or bsp_hpget in this superstep
};

enum class LifePhase : std::uint8_t { before, running, ended };

struct BspState {
  LifePhase phase = LifePhase::before;
  void (*spmd)() = nullptr;             // as given to bsp_init
  std::unique_ptr<BspMachine> machine;  // of all processes; only while running
  std::map<int, std::unique_ptr<BspMachine>> groups;
  int groups_made = 0;
  std::vector<BspMachine*> entered;            // one inside the other, the innermost last
  int last_pid = 0, last_count = 1;            // after bsp_end
  std::map<std::uint64_t, std::string> sites;  // places in the program, in words
};

[[nodiscard]] BspState& state();

// What calls mean: the innermost group that was entered. nullptr unless between bsp_begin and
// bsp_end.
extern BspMachine* current;
[[nodiscard]] inline BspMachine* running() {
  return current;
}
[[noreturn]] void reject_call(const char* routine);
// Ends all unless between bsp_begin and bsp_end.
[[nodiscard]] inline BspMachine& machine(const char* routine) {
  if (current == nullptr) [[unlikely]]
    reject_call(routine);
  return *current;
}

}  // namespace tutti::bsp
