// SPDX-License-Identifier: BSD-3-Clause
// The table of system handles (systems.hpp).
#include "systems.hpp"

#include <algorithm>
#include <utility>

#include "communicators.hpp"
#include "errors.hpp"
#include "processes.hpp"
#include "state.hpp"

namespace tutti::blacs {

const std::vector<int>* find_system(int place) {
  const auto& table = state().systems;
  if (place < 0 || static_cast<std::size_t>(place) >= table.size()) return nullptr;
  return table[static_cast<std::size_t>(place)].get();
}

int add_system(std::vector<int> members) {
  auto& table = state().systems;
  auto free = std::find(table.begin(), table.end(), nullptr);
  if (free == table.end()) free = table.insert(free, nullptr);
  *free = std::make_unique<std::vector<int>>(std::move(members));
  return static_cast<int>(free - table.begin());
}

Scope* scope_at(int place) {
  for (const auto& grid : state().contexts) {
    if (grid == nullptr) continue;
    for (Scope* scope : {&grid->all, &grid->row, &grid->column})
      if (scope->system_place == place) return scope;
  }
  return nullptr;
}

void drop_system(int place) {
  if (Scope* scope = scope_at(place)) scope->system_place = -1;
  state().systems[static_cast<std::size_t>(place)].reset();
}

std::vector<int> system_members(const char* routine, Language language, int handle) {
  if (handle == world_handle(language)) return all_numbers();
  const int place = place_of_handle(language, handle);
  if (const auto* members = find_system(place)) return *members;
  if (place < 0 && numbers_communicators(language)) return communicator_members(routine, handle);
  fail_outside(routine, fmt::format("argument 'ICONTXT' is {}, which is not a system handle{}",
                                    handle, advice_on_handles()));
}

int system_handle_of(const RoutineCall& call, Language language, Scope& scope) {
  Scope& owner = call.grid().owner(scope);
  provide_communicator(call, owner);
  if (const auto handle = communicator_handle(language, owner)) return *handle;
  if (owner.system_place < 0) owner.system_place = add_system(owner.members);
  return handle_of_place(language, owner.system_place);
}

// A program of MPI that tutti run has started is several programs of one process for its MPI. This
// is only a warning, because the program may send nothing by MPI.
void warn_of_worlds_of_one(const char* flavour) {
  static bool warned = false;
  const int processes = tutti_size(tutti_world());
  if (processes == 1 || tutti_rank(tutti_world()) != 0 || std::exchange(warned, true)) return;
  print_warning(fmt::format(
      "each of the {} processes is an MPI_COMM_WORLD of its own, because tutti run has started "
      "them: messages of MPI reach nobody; start the program with mpirun and libtutti-blacs-{} "
      "(tutti preload blacs)",
      processes, flavour));
}

void free_system_handle(Language language, int handle) {
  const int place = place_of_handle(language, handle);
  if (find_system(place) != nullptr) return drop_system(place);
  // Handles of MPI's communicators belong to the program and are not freed here.
  if (handle == world_handle(language) || numbers_communicators(language)) return;
  print_warning(fmt::format("free_blacs_system_handle: {} is not a system handle", handle));
}

}  // namespace tutti::blacs
