// SPDX-License-Identifier: BSD-3-Clause
// Windows of tutti_runtime.h.
#include "api/state.hpp"

using namespace tutti;
using api::guarded;
using api::state;

extern "C" {

tutti_status tutti_window_allocate(int64_t bytes, void** address) {
  return guarded("tutti_window_allocate", [&] {
    if (address == nullptr) base::fail(base::Status::invalid_argument, "argument 'address' is NULL");
    *address = state().windows->allocate(bytes);
  });
}

tutti_status tutti_window_free(void* address) {
  return guarded("tutti_window_free", [&] { state().windows->free(address); });
}

uint64_t tutti_window_name(const void* address) {
  api::State* const current = api::current;
  return current == nullptr ? 0 : current->windows->name_of(address);
}

void* tutti_window_address(int endpoint, uint64_t name) {
  api::State* const current = api::current;
  return current == nullptr || endpoint < 0 ? nullptr : current->windows->address_of(name);
}

}  // extern "C"
