// SPDX-License-Identifier: BSD-3-Clause
// Values of the tuning table for BSPlib. An object reads them when it is made, because finding a
// row by its name takes longer than most calls.
#pragma once

#include <tutti/tutti_runtime.h>

#include <cstddef>

namespace tutti::bsp {

// Returns the value of a row, which the table has.
[[nodiscard]] inline std::size_t row(const char* name) {
  return static_cast<std::size_t>(tutti_tuning(name));
}

}  // namespace tutti::bsp
