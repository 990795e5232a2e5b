// SPDX-License-Identifier: BSD-3-Clause
// Registrations, puts and gets of BSPlib.
#pragma once

#include <cstddef>

#include "copy.hpp"
#include "errors.hpp"
#include "state.hpp"

namespace tutti::bsp {

inline void check_pid(const char* routine, const BspMachine& mine, int pid) {
  if (pid < 0 || pid >= mine.count) [[unlikely]]
    fail(routine, "argument 'pid' is {} but there are {} processes", pid, mine.count);
}

void push(const void* address, std::size_t size);
void pop(const void* address);

void put(int pid, const void* source, void* destination, std::size_t offset, std::size_t size);
void get(int pid, const void* source, std::size_t offset, void* destination, std::size_t size);
void put_directly(int pid, const void* source, void* destination, std::size_t offset,
                  std::size_t size);
// Copies memory of another process before this returns, in the superstep that runs.
void get_now(int pid, const void* source, std::size_t offset, void* destination, std::size_t size);
void get_directly(int pid, const void* source, std::size_t offset, void* destination,
                  std::size_t size);

}  // namespace tutti::bsp
