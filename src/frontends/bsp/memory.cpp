// SPDX-License-Identifier: BSD-3-Clause
// bsp_alloc and bsp_free on windows of the runtime (memory.hpp).
#include "memory.hpp"

#include <tutti/tutti_runtime.h>

#include "errors.hpp"
#include "state.hpp"

namespace tutti::bsp {

void* allocate(std::size_t size) {
  (void)machine("bsp_alloc");
  void* address = nullptr;
  check("bsp_alloc", tutti_window_allocate, static_cast<std::int64_t>(size), &address);
  return address;
}

void deallocate(void* address) {
  (void)machine("bsp_free");
  if (address == nullptr) return;
  const auto check_free = [&](BspMachine& of) {
    if (of.registry.find(address) != Registry::no_slot) {
      fail("bsp_free", "the memory at {} is still registered in this superstep", fmt::ptr(address));
    }
  };
  check_free(*state().machine);
  for (const auto& [number, group] : state().groups) check_free(*group);
  check("bsp_free", tutti_window_free, address);
}

}  // namespace tutti::bsp
