// SPDX-License-Identifier: BSD-3-Clause
// Counts every allocation of the process, by replacing malloc. To be included by one source file of a program.
#pragma once

#include <atomic>
#include <cstddef>

extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void __libc_free(void* address);

namespace {
std::atomic<long> allocations{0};
}

extern "C" void* malloc(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
extern "C" void free(void* address) {
  __libc_free(address);
}
