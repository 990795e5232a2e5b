// SPDX-License-Identifier: BSD-3-Clause
// System handles without MPI (communicators.hpp): small numbers for lists of processes. The C
// interface passes them as pointers. Handle 0 is the world.
#include <cstdint>

#include "communicators.hpp"
#include "errors.hpp"

namespace tutti::blacs {

int world_handle(Language) {
  return 0;
}
int handle_of_place(Language, int place) {
  return place + 1;
}
int place_of_handle(Language, int handle) {
  return handle > 0 ? handle - 1 : -1;
}
bool numbers_communicators(Language) {
  return false;
}
std::vector<int> communicator_members(const char*, int) {
  return {};
}
void end_mpi() {}

namespace {

bool is_handle(std::intptr_t handle) {
  return handle == 0 ||
         (handle > 0 && handle <= static_cast<std::intptr_t>(state().systems.size()) &&
          find_system(static_cast<int>(handle) - 1) != nullptr);
}

}  // namespace
}  // namespace tutti::blacs

namespace blacs = tutti::blacs;

extern "C" {

TUTTI_API void* Cblacs2sys_handle(int handle) {
  if (!blacs::is_handle(handle)) {
    blacs::fail_outside("blacs2sys_handle", fmt::format("{} is not a system handle", handle));
  }
  // The pointer is never null, because callers may take a null pointer for "no communicator".
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(handle) + 1);
}

TUTTI_API int Csys2blacs_handle(void* word) {
  const auto handle = reinterpret_cast<std::intptr_t>(word) - 1;
  if (!blacs::is_handle(handle)) {
    blacs::fail_outside("sys2blacs_handle",
                        "the argument is not a system handle; without MPI these come from "
                        "blacs_get and blacs2sys_handle only");
  }
  return static_cast<int>(handle);
}

}  // extern "C"
