// SPDX-License-Identifier: BSD-3-Clause
// Makes the machine of processes in bsp_begin and ends it in bsp_end (life.hpp). Under a launcher
// all processes run main. A program started by hand starts the other processes in bsp_begin, and
// they reach the same place, or bsp_init, through main.
#include "life.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "direct.hpp"
#include "errors.hpp"
#include "groups.hpp"
#include "parameters.hpp"
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
  machine.parameters = parameters_of(machine);
  allow_reading(machine.peers);
}

void note_globals() {
  if (tutti_setting("TUTTI_BSP_SAFE") == 1) state().globals.note();
}

// All processes run main, and those that are not needed end here.
tutti_group begin_in_main(int processes) {
  if (tutti_launched() == 0 && processes > 1) check("bsp_begin", tutti_spawn_world, processes);
  const int count = agree_on_count(processes);
  if (tutti_rank(tutti_world()) >= count) leave();
  return first_processes(count);
}

// Process 0 runs main, and tells its workers to run the function.
tutti_group begin_function(BspState& all, int processes) {
  if (!all.ordered) return group_of(all.workers.begin(processes, all.spmd));
  const PartMembers members = *std::exchange(all.ordered, std::nullopt);
  return group_of(members);
}

// Runs one function after the other, until process 0 ends.
[[noreturn]] void work() {
  BspState& all = state();
  describe_wait();
  for (;;) {
    const PartOrder order = next_part();
    if (order.function == nullptr) leave();
    all.ordered = order.members;
    all.spmd = order.function;
    all.phase = LifePhase::before;
    order.function();
    if (all.phase != LifePhase::ended)
      fail("bsp_init", "the parallel part returned without bsp_end");
  }
}

// Called when the program of process 0 exits.
void dismiss_workers() {
  if (tutti_initialized() == 0 || state().phase == LifePhase::running) return;
  state().workers.dismiss();
  check("bsp_end", tutti_finalize);
}

}  // namespace

void init(void (*spmd)()) {
  BspState& all = state();
  if (all.phase == LifePhase::running) fail("bsp_init", "was called after bsp_begin");
  if (all.phase == LifePhase::ended && all.spmd == nullptr) {
    fail("bsp_init",
         "the first parallel part of this program was main itself, so all its processes have left "
         "with bsp_end: give the first part to bsp_init, too");
  }
  check("bsp_init", tutti_init);
  if (spmd == nullptr) fail("bsp_init", "argument 'spmd' is NULL");
  if (all.spmd == nullptr) {
    if (is_worker()) work();
    all.workers.set_started_by_hand(tutti_launched() == 0);
    // Failure is harmless: without the function, the workers are ended with the job and reported.
    std::atexit(dismiss_workers);
    note_globals();
  }
  all.spmd = spmd;
  all.phase = LifePhase::before;
}

void begin(int processes) {
  BspState& all = state();
  if (all.phase == LifePhase::running) fail("bsp_begin", "a parallel part has begun already");
  if (all.phase == LifePhase::ended && all.spmd == nullptr) {
    fail("bsp_begin",
         "a second parallel part needs functions: give each part to bsp_init before it begins");
  }
  check("bsp_begin", tutti_init);
  const bool first = all.spmd != nullptr || tutti_rank(tutti_world()) == 0;
  if (first && !all.ordered && processes < 1)
    fail("bsp_begin", "argument 'processes' is {} but must be 1 or more", processes);
  all.globals.hint();
  const tutti_group group =
      all.spmd == nullptr ? begin_in_main(processes) : begin_function(all, processes);
  all.machine = std::make_unique<BspMachine>(peers_of("bsp_begin", group));
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
  const tutti_group group = all.machine->peers.group;
  all.groups.clear();
  all.machine.reset();
  if (all.spmd == nullptr) return check("bsp_end", tutti_finalize);
  if (group.id != tutti_world().id) check("bsp_end", tutti_group_free, group);
  if (all.last_pid == 0) note_globals();
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
  const bool by_hand = tutti_launched() == 0 || state().workers.started_by_hand();
  return by_hand ? tutti_processors() : tutti_size(tutti_world());
}

int own_number() {
  return state().phase == LifePhase::ended ? state().last_pid : machine("bsp_pid").pid;
}

double seconds_since_begin() {
  return static_cast<double>(tutti_nanoseconds() - machine("bsp_time").started) * 1e-9;
}

double seconds_since_last_call() {
  BspMachine& mine = machine("bsp_dtime");
  const std::uint64_t before = std::exchange(mine.asked, tutti_nanoseconds());
  return static_cast<double>(mine.asked - before) * 1e-9;
}

}  // namespace tutti::bsp
