// SPDX-License-Identifier: BSD-3-Clause
// Owning pointers to windows of the runtime, and copies into windows.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstdint>
#include <memory>

#include "copy.hpp"
#include "errors.hpp"

namespace tutti::bsp {

struct FreeWindow {
  // Failure is harmless: it fails only for an address that is none, and after the end of the job.
  void operator()(void* address) const { (void)detail::quietly(tutti_free, address); }
};
// T must not need a destructor.
template <class T>
using Window = std::unique_ptr<T, FreeWindow>;

// Copies into a window. The library is not asked for short copies, because its call takes longer.
inline void write_window(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t least_long = 1024;
  if (bytes < least_long) {
    copy_bytes(to, from, bytes);
  } else {
    check("bsp_sync", tutti_window_write, to, from, static_cast<std::int64_t>(bytes));
  }
}

}  // namespace tutti::bsp
