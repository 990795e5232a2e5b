// SPDX-License-Identifier: BSD-3-Clause
// bsp_alloc and bsp_free on memory of tutti_alloc (memory.hpp).
#include "memory.hpp"

#include <tutti/tutti_runtime.h>

#include <algorithm>

#include "errors.hpp"
#include "state.hpp"

namespace tutti::bsp {

void* allocate(std::size_t size) {
  (void)machine("bsp_alloc");
  void* address = nullptr;
  check("bsp_alloc", tutti_alloc, static_cast<std::int64_t>(size), &address);
  return address;
}

void deallocate(void* address) {
  (void)machine("bsp_free");
  if (address == nullptr) return;
  BspMachine* ending = nullptr;
  const auto look = [&](BspMachine& of) {
    if (of.registry.find(address) == Registry::no_slot) return;
    if (of.registry.is_kept(address) || std::ranges::count(of.to_free, address) > 0)
      fail("bsp_free", "the memory at {} is still registered, or freed twice", fmt::ptr(address));
    ending = &of;
  };
  look(*state().machine);
  for (const auto& [number, group] : state().groups) look(*group);
  if (ending != nullptr) {
    ending->to_free.push_back(address);
  } else {
    check("bsp_free", tutti_free, address);
  }
}

void free_ended(BspMachine& machine) {
  for (void* const address : machine.to_free) check("bsp_free", tutti_free, address);
  machine.to_free.clear();
}

}  // namespace tutti::bsp
