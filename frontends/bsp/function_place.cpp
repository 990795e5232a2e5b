// SPDX-License-Identifier: BSD-3-Clause
// Finds the file of a function, and where this process has loaded that file (function_place.hpp).
#include "function_place.hpp"

#include <dlfcn.h>
#include <link.h>

#include "audit.hpp"
#include "errors.hpp"

namespace tutti::bsp {

FunctionPlace place_of(void (*function)()) {
  const auto address = reinterpret_cast<std::uint64_t>(function);
  Dl_info info{};
  void* found = nullptr;
  const bool known =
      ::dladdr1(reinterpret_cast<void*>(function), &info, &found, RTLD_DL_LINKMAP) != 0;
  const auto* const file = static_cast<const link_map*>(found);
  if (!known || file == nullptr || *file->l_name == '\0') return {"", address - program_address()};
  return {file->l_name, address - file->l_addr};
}

void (*function_at(const FunctionPlace& place))() {
  std::uint64_t base = program_address();
  if (!place.file.empty()) {
    const void* const library = ::dlopen(place.file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr)
      fail("bsp_init", "process 0 begins a function of {}, which this process has not loaded",
           place.file);
    base = static_cast<const link_map*>(library)->l_addr;
  }
  return reinterpret_cast<void (*)()>(base + place.offset);
}

}  // namespace tutti::bsp
