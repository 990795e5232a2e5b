// SPDX-License-Identifier: BSD-3-Clause
// Finds the library of PVM and asks it about tasks (pvm_tasks.hpp).
#include "pvm_tasks.hpp"

#include <dlfcn.h>
#include <tutti/tutti_runtime.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "errors.hpp"

namespace tutti::blacs {
namespace {

template <class Function>
Function* function_of_pvm(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

std::string text_of_tid(int tid) {
  return fmt::format("t{:x}", static_cast<unsigned>(tid));
}

// Returns how many tasks this process has spawned.
int tasks_from_here() {
  auto* const spawned = function_of_pvm<int()>("tutti_pvm_spawned");
  return spawned == nullptr ? 0 : spawned();
}

// A task may have ended before a slower one names it.
bool was_ever(int endpoint) {
  tutti_ending ending{};
  ending.struct_size = sizeof ending;
  tutti_ending_of(endpoint, &ending);
  return tutti_present(endpoint) != 0 || ending.how != TUTTI_NOT_ENDED;
}

// A wrong number is reported before a task that it has displaced, so that all tasks say the same.
void check_list(const char* routine, const std::vector<int>& endpoints, const int* tids) {
  for (std::size_t i = 0; i < endpoints.size(); ++i) {
    if (endpoints[i] < 0 || !was_ever(endpoints[i])) {
      fail_outside(routine, fmt::format("argument 'TIDS'({}) is {} ({}), which is no task of PVM",
                                        i + 1, tids[i], text_of_tid(tids[i])));
    }
    const auto first = std::find(endpoints.begin(), endpoints.end(), endpoints[i]);
    const auto before = static_cast<std::size_t>(first - endpoints.begin());
    if (before == i) continue;
    fail_outside(routine, fmt::format("arguments 'TIDS'({}) and 'TIDS'({}) are the same task, {}",
                                      before + 1, i + 1, text_of_tid(tids[i])));
  }
  const int own = tutti_endpoint(tutti_world(), tutti_rank(tutti_world()));
  if (std::find(endpoints.begin(), endpoints.end(), own) == endpoints.end())
    fail_outside(routine,
                 fmt::format("none of the {} numbers in 'TIDS' is this task", endpoints.size()));
}

}  // namespace

tutti_group group_of_tasks(const char* routine, int count, const int* tids) {
  auto* const join_pvm = function_of_pvm<int()>("tutti_pvm_join");
  auto* const endpoint_of = function_of_pvm<int(int)>("tutti_pvm_endpoint");
  if (join_pvm == nullptr || endpoint_of == nullptr)
    fail_outside(routine, "this program is not linked with the PVM of tutti, so it has no tasks");
  if (join_pvm() < 0) fail_outside(routine, "this process could not join its PVM");
  if (count < 1)
    fail_outside(routine, fmt::format("argument 'NTASKS' is {} but must be 1 or more", count));
  if (tids == nullptr) fail_outside(routine, "argument 'TIDS' is NULL");
  std::vector<int> endpoints;
  for (int i = 0; i < count; ++i) endpoints.push_back(endpoint_of(tids[i]));
  check_list(routine, endpoints, tids);
  constexpr std::uint64_t label = 0x424c414353;  // "BLACS"
  tutti_group tasks{0};
  if (tutti_group_of_endpoints(count, endpoints.data(), label, &tasks) != TUTTI_OK)
    fail_outside(routine, tutti_error_text());
  return tasks;
}

void reject_unnamed_tasks(const char* routine) {
  constexpr const char* advice =
      "SETPVMTIDS must say first which tasks are the processes of the BLACS";
  if (tutti_parent() >= 0)
    fail_outside(routine, fmt::format("PVM has spawned this process: {}", advice));
  const int spawned = tasks_from_here();
  if (spawned == 0 || tutti_size(tutti_world()) > 1) return;
  fail_outside(routine,
               fmt::format("this process has spawned {} tasks of PVM: {}", spawned, advice));
}

std::string own_tid() {
  if (tutti_parent() < 0 && tasks_from_here() == 0) return "";
  auto* const tid = function_of_pvm<int()>("pvm_mytid");
  const int own = tid == nullptr ? -1 : tid();
  return own < 0 ? "" : text_of_tid(own);
}

bool leave_pvm() {
  auto* const exit = function_of_pvm<int()>("pvm_exit");
  if (exit != nullptr) exit();
  return exit != nullptr;
}

}  // namespace tutti::blacs
