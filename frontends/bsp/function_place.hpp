// SPDX-License-Identifier: BSD-3-Clause
// Names a function so that another process of the same program, where the system has loaded the
// files at other addresses, finds it.
#pragma once

#include <cstdint>
#include <string>

namespace tutti::bsp {

struct FunctionPlace {
  std::string file;          // of the library that has it; empty: the program
  std::uint64_t offset = 0;  // from where that file is loaded
};

[[nodiscard]] FunctionPlace place_of(void (*function)());
// Ends the job if this process has not loaded that library.
[[nodiscard]] void (*function_at(const FunctionPlace& place))();

}  // namespace tutti::bsp
