// SPDX-License-Identifier: BSD-3-Clause
// The files of profiles/ as they were when the library was built. Installed programs need no path
// to find them.
#pragma once

#include <span>
#include <string_view>

namespace tutti::machine {

struct BuiltinMachine {
  std::string_view name;  // name of the file, without .toml
  std::string_view text;
};

// Returns the machines, sorted by name.
[[nodiscard]] std::span<const BuiltinMachine> builtins();

}  // namespace tutti::machine
