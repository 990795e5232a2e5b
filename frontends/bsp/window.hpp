// SPDX-License-Identifier: BSD-3-Clause
// Owning pointers to windows of the runtime.
#pragma once

#include <tutti/tutti_runtime.h>

#include <memory>

namespace tutti::bsp {

struct FreeWindow {
  // Failure is harmless: it fails only for an address that is none, and after the end of the job.
  void operator()(void* address) const { (void)tutti_window_free(address); }
};
// T must not need a destructor.
template <class T>
using Window = std::unique_ptr<T, FreeWindow>;

}  // namespace tutti::bsp
