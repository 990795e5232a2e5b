// SPDX-License-Identifier: BSD-3-Clause
// Joins and leaves the job, and starts processes (processes.hpp).
#include "processes.hpp"

#include <tutti/tutti_runtime.h>

#include <numeric>

#include "dialect.hpp"
#include "errors.hpp"
#include "levels.hpp"
#include "pvm_tasks.hpp"
#include "timing.hpp"

namespace tutti::blacs {

BlacsProcess& this_process() {
  // Never destroyed, because programs call the BLACS from exit handlers.
  static BlacsProcess* const only = new BlacsProcess;
  return *only;
}

void join_early() {
  BlacsProcess& p = this_process();
  if (p.joined || p.ended || !p.refusal.empty()) return;
  if (detail::quietly(tutti_init) == TUTTI_OK) {
    p.joined = true;
    p.machine_set = tutti_launched() != 0;
    p.refusal = read_levels();
    if (p.refusal.empty()) after_joining();
  } else {
    p.refusal = tutti_error_text();
  }
}

void join(const char* routine) {
  BlacsProcess& p = this_process();
  if (p.ended) fail_outside(routine, fmt::format("was called after {}", dialect.exit_call));
  if (p.used) [[likely]]
    return;
  join_early();
  if (!p.refusal.empty()) fail_outside(routine, p.refusal);
  if (p.tasks.id == 0) reject_unnamed_tasks(routine);
  p.used = true;
}

void leave(const char* routine, tutti_status (*finalize)()) {
  BlacsProcess& p = this_process();
  finish_timing();
  if (tutti_initialized() != 0) {
    if (p.tasks.id == 0 || !leave_pvm()) check_outside(routine, finalize);
  }
  p.joined = p.used = false;
  p.ended = true;
}

tutti_group processes() {
  const tutti_group tasks = this_process().tasks;
  return tasks.id != 0 ? tasks : tutti_world();
}

std::vector<int> all_numbers() {
  std::vector<int> numbers(static_cast<std::size_t>(tutti_size(processes())));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// A program started by hand is told that there are -1 processes, so that it asks for some. A
// program that does not ask continues as one process.
void tell_processes(const char* routine, int* number, int* count) {
  join(routine);
  *number = tutti_rank(processes());
  *count = this_process().machine_set ? tutti_size(processes()) : -1;
}

void start_processes(const char* routine, int count) {
  join(routine);
  if (this_process().machine_set) return;
  if (count < 1)
    fail_outside(routine,
                 fmt::format("argument 'NPROCS' is {}, but a machine needs 1 or more", count));
  if (count > 1) check_outside(routine, tutti_spawn_world, count);
  this_process().machine_set = true;
}

void set_pvm_tasks(int count, const int* tids) {
  constexpr const char* routine = "setpvmtids";
  BlacsProcess& p = this_process();
  if (p.used || p.ended)
    fail_outside(routine, "must be called before all other routines of the BLACS");
  p.tasks = group_of_tasks(routine, count, tids);
  join(routine);
  p.machine_set = true;
}

}  // namespace tutti::blacs
