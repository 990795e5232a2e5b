// SPDX-License-Identifier: BSD-3-Clause
// Windows and call sites of tutti_runtime.h.
#include <algorithm>
#include <cstring>

#include "api/call_site.hpp"
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
  if (current == nullptr || endpoint < 0) return nullptr;
  return current->runtime.shares_memory_with(endpoint) ? current->windows->address_of(name) : nullptr;
}

uint64_t tutti_call_site(void) {
  return api::calling_address();
}

size_t tutti_call_site_text(uint64_t site, char* text, size_t size) {
  try {
    std::string place = api::place_of(site);
    if (const std::string line = api::line_of(site); !line.empty()) place += ", " + line;
    const std::size_t kept = size == 0 ? 0 : std::min(place.size(), size - 1);
    if (size > 0) {
      std::memcpy(text, place.data(), kept);
      text[kept] = '\0';
    }
    return place.size();
  } catch (...) {
    if (size > 0) *text = '\0';
    return 0;
  }
}

}  // extern "C"
