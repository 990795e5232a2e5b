// SPDX-License-Identifier: BSD-3-Clause
// Counts every allocation of the process, by replacing malloc, and shows where the first one was
// made after `show_first_allocation`. One source file of a program includes it.
#pragma once

#include <execinfo.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>

extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void __libc_free(void* address);

namespace {
std::atomic<long> allocations{0};
std::atomic<bool> show_next{false};

// The first call of backtrace() allocates itself, therefore it is made here.
inline void show_first_allocation() {
  void* frame[1];
  ::backtrace(frame, 1);
  show_next = true;
}
}  // namespace

extern "C" void* malloc(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (show_next.load(std::memory_order_relaxed) && show_next.exchange(false)) {
    void* frames[32];
    ::backtrace_symbols_fd(frames, ::backtrace(frames, 32), STDERR_FILENO);
  }
  return __libc_malloc(bytes);
}
extern "C" void free(void* address) {
  __libc_free(address);
}
