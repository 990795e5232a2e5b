// SPDX-License-Identifier: BSD-3-Clause
// Makes the machine of processes in bsp_begin and ends it in bsp_end (life.hpp). Under a launcher
// all processes run main. A program started by hand starts the other processes in bsp_begin, and
// they reach the same place through main.
#include "life.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "errors.hpp"
#include "groups.hpp"
#include "state.hpp"
#include "superstep.hpp"

namespace tutti::bsp {
namespace {

[[noreturn]] void leave() {
  check("bsp_begin", tutti_finalize);
  std::exit(0);
}

// Returns the number of processes that process 0 wants, or as many as there are.
int agree_on_count(int wanted) {
  std::int32_t count = wanted;
  const tutti_data data = tutti_array(&count, 1, TUTTI_INT32);
  check("bsp_begin", tutti_bcast, tutti_world(), &data, 0);
  return std::min<int>(count, tutti_size(tutti_world()));
}

tutti_group first_processes(int count) {
  if (count == tutti_size(tutti_world())) return tutti_world();
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  tutti_group group{0};
  check("bsp_begin", tutti_group_create, tutti_world(), count, ranks.data(), &group);
  return group;
}

void set_up(BspMachine& machine) {
  if (!for_all("bsp_begin", machine.peers, tutti_setting("TUTTI_BSP_SAFE") != 1))
    machine.audit = std::make_unique<Audit>(machine.peers);
  std::array<char, 4096> file{};
  const bool wanted = tutti_setting_text("TUTTI_BSP_PROFILE", file.data(), file.size()) > 0;
  if (!for_all("bsp_begin", machine.peers, !wanted))
    machine.profile = std::make_unique<CallProfile>(file.data());
}

}  // namespace

// Process 0 continues in main. The other processes run only `spmd`.
void init(void (*spmd)()) {
  if (state().phase != LifePhase::before) fail("bsp_init", "was called after bsp_begin");
  check("bsp_init", tutti_init);
  if (spmd == nullptr) fail("bsp_init", "argument 'spmd' is NULL");
  state().spmd = spmd;
  if (tutti_rank(tutti_world()) == 0) return;
  spmd();
  if (state().phase != LifePhase::ended)
    fail("bsp_init", "the parallel part returned without bsp_end");
  std::exit(0);
}

void begin(int processes) {
  BspState& all = state();
  if (all.phase != LifePhase::before) fail("bsp_begin", "a program has one parallel part");
  check("bsp_begin", tutti_init);
  const bool first = tutti_rank(tutti_world()) == 0;
  if (first && processes < 1)
    fail("bsp_begin", "argument 'processes' is {} but must be 1 or more", processes);
  if (tutti_launched() == 0 && processes > 1) check("bsp_begin", tutti_spawn_world, processes);
  const int count = agree_on_count(processes);
  if (tutti_rank(tutti_world()) >= count) leave();
  all.machine = std::make_unique<BspMachine>(peers_of("bsp_begin", first_processes(count)));
  set_up(*all.machine);
  all.phase = LifePhase::running;
  current = all.machine.get();
}

void end() {
  BspState& all = state();
  check_groups_at_end();
  end_superstep("bsp_end", SuperstepEnd::end);
  if (all.machine->profile != nullptr) all.machine->profile->write(*all.machine);
  // No process may free memory that another process still reads.
  check("bsp_end", tutti_barrier, all.machine->peers.group);
  all.last_pid = all.machine->pid;
  all.last_count = all.machine->count;
  all.phase = LifePhase::ended;
  current = nullptr;
  all.groups.clear();
  all.machine.reset();
  check("bsp_end", tutti_finalize);
}

void abort_all(const char* text) {
  if (current != nullptr) {
    const std::string whole = fmt::format("bsp_abort: {} ({})", text, process_text());
    tutti_abort(1, whole.c_str());
  }
  tutti_abort(1, fmt::format("bsp_abort: {}", text).c_str());
  std::_Exit(1);
}

int count_of_processes() {
  if (current != nullptr) return current->count;
  if (state().phase == LifePhase::ended) return state().last_count;
  check("bsp_nprocs", tutti_init);
  return tutti_launched() != 0 ? tutti_size(tutti_world()) : tutti_processors();
}

int own_number() {
  return state().phase == LifePhase::ended ? state().last_pid : machine("bsp_pid").pid;
}

double seconds_since_begin() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                       machine("bsp_time").started)
      .count();
}

double seconds_since_last_call() {
  BspMachine& mine = machine("bsp_dtime");
  const auto before = std::exchange(mine.asked, std::chrono::steady_clock::now());
  return std::chrono::duration<double>(mine.asked - before).count();
}

}  // namespace tutti::bsp
