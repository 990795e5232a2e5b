// SPDX-License-Identifier: BSD-3-Clause
// System handles without MPI: small numbers for lists of processes, and words for those numbers in the C interface.
#include "systems.hpp"

#include <algorithm>

#include "errors.hpp"
#include "grids.hpp"

namespace tutti::blacs {
namespace {

constexpr int world_handle = 0;

const std::vector<int>* find_system(int handle) {
  const auto& table = state().systems;
  if (handle <= world_handle || static_cast<std::size_t>(handle) > table.size()) return nullptr;
  return table[static_cast<std::size_t>(handle) - 1].get();
}

}  // namespace

std::vector<int> system_members(const char* routine, int handle) {
  if (handle == world_handle) {
    std::vector<int> world(static_cast<std::size_t>(tutti_size(tutti_world())));
    for (std::size_t i = 0; i < world.size(); ++i) world[i] = static_cast<int>(i);
    return world;
  }
  if (const auto* members = find_system(handle)) return *members;
  fail_outside(routine, fmt::format("argument 'ICONTXT' is {}, which is not a system handle", handle));
}

int system_handle_of(int context) {
  const Call call("blacs_get", context);
  Grid& grid = call.grid();
  if (grid.system_handle != 0) return grid.system_handle;
  auto& table = state().systems;
  auto free = std::find(table.begin(), table.end(), nullptr);
  if (free == table.end()) free = table.insert(free, nullptr);
  *free = std::make_unique<std::vector<int>>(grid.members);
  grid.system_handle = static_cast<int>(free - table.begin()) + 1;
  return grid.system_handle;
}

void free_system_handle(int handle) {
  if (handle == world_handle) return;
  if (find_system(handle) == nullptr) {
    return print_warning(fmt::format("free_blacs_system_handle: {} is not a system handle", handle));
  }
  for (const auto& grid : state().contexts) {
    if (grid != nullptr && grid->system_handle == handle) grid->system_handle = 0;
  }
  state().systems[static_cast<std::size_t>(handle) - 1].reset();
}

void* handle_to_word(int handle) {
  if (handle != world_handle && find_system(handle) == nullptr) {
    fail_outside("blacs2sys_handle", fmt::format("{} is not a system handle", handle));
  }
  // Never a null pointer, which callers may take for "no communicator".
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(handle) + 1);
}

int word_to_handle(void* word) {
  const auto handle = reinterpret_cast<std::intptr_t>(word) - 1;
  const auto limit = static_cast<std::intptr_t>(state().systems.size());
  const bool known = handle == world_handle || (handle > 0 && handle <= limit && find_system(static_cast<int>(handle)));
  if (!known)
    fail_outside("sys2blacs_handle",
                 "the argument is not a system handle; without MPI these come from "
                 "blacs_get and blacs2sys_handle only");
  return static_cast<int>(handle);
}

}  // namespace tutti::blacs
