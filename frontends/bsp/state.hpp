// SPDX-License-Identifier: BSD-3-Clause
// Everything that BSPlib remembers between calls: the machine of all processes between bsp_begin
// and bsp_end, the machines of groups, and the phase that the program is in.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "audit.hpp"
#include "globals.hpp"
#include "inbox.hpp"
#include "parameters.hpp"
#include "parts.hpp"
#include "profile.hpp"
#include "registry.hpp"
#include "traffic.hpp"

namespace tutti::bsp {

// All processes, or a group of them, with its own registrations, messages and supersteps.
struct BspMachine {
  explicit BspMachine(Peers members)
      : peers(std::move(members)), pid(peers.pid), count(static_cast<int>(peers.count())) {}
  [[nodiscard]] ProgressLine& progress() const { return *peers.own_progress; }

  const Peers peers;
  const int pid;
  const int count;
  int group = 0;  // number of the group; 0: all processes
  std::uint64_t superstep = 0;
  std::uint64_t started = tutti_nanoseconds();
  std::uint64_t asked = started;  // the last call of bsp_dtime
  std::vector<std::uint64_t> seen_progress = std::vector<std::uint64_t>(peers.count());
  Registry registry{peers};
  Traffic traffic{peers};
  MessageQueue inbox;
  std::uint64_t send_tag_size = 0;  // tags of messages sent in this superstep
  std::uint64_t next_tag_size = 0;  // tags of messages sent from the next superstep on
  bool sets_tag_size = false;       // bsp_set_tagsize was called in this superstep
  std::unique_ptr<Audit> audit;     // exists only in safe mode
  std::unique_ptr<CallProfile> profile;
  BspParameters parameters;
  Volume direct;               // bsp_hpput and bsp_hpget in this superstep, for a profile
  bool gets = false;           // bsp_get or bsp_hpget was called in this superstep
  std::vector<void*> to_free;  // memory of bsp_alloc whose registration ends with this superstep
};

// `ended` comes before `running` again if the program begins another part.
enum class LifePhase : std::uint8_t { before, running, ended };

struct BspState {
  LifePhase phase = LifePhase::before;
  void (*spmd)() = nullptr;             // the function given to bsp_init
  Workers workers;                      // of process 0, if there is such a function
  std::optional<PartMembers> ordered;   // the part that this worker is to begin
  Globals globals;                      // of process 0, in safe mode
  std::size_t profiled = 0;             // supersteps of earlier parts in the file of the profile
  std::unique_ptr<BspMachine> machine;  // all processes; exists only while running
  std::map<int, std::unique_ptr<BspMachine>> groups;
  int groups_made = 0;
  std::vector<BspMachine*> entered;            // nested groups, the innermost last
  int last_pid = 0, last_count = 1;            // kept for calls after bsp_end
  std::map<std::uint64_t, std::string> sites;  // texts of places in the program
};

[[nodiscard]] BspState& state();

// The machine that calls mean: the innermost group that was entered, or all processes. nullptr
// outside of bsp_begin and bsp_end.
extern BspMachine* current;
[[nodiscard]] inline BspMachine* running() {
  return current;
}
[[noreturn]] void reject_call(const char* routine);
// Ends the job unless called between bsp_begin and bsp_end.
[[nodiscard]] inline BspMachine& machine(const char* routine) {
  if (current == nullptr) [[unlikely]]
    reject_call(routine);
  return *current;
}

}  // namespace tutti::bsp
