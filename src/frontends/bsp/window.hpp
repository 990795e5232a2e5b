// SPDX-License-Identifier: BSD-3-Clause
// Windows with an owner.
#pragma once

#include <tutti/tutti_runtime.h>

#include <memory>

namespace tutti::bsp {

struct FreeWindow {
  // All that can go wrong is that the job has ended.
  void operator()(void* address) const { (void)tutti_window_free(address); }
};
// Of a type that needs no destructor.
template <class T>
using Window = std::unique_ptr<T, FreeWindow>;

}  // namespace tutti::bsp
