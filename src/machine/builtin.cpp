// SPDX-License-Identifier: BSD-3-Clause
// Holds the texts of the profiles, which embed.cmake writes into a file of the build.
#include "machine/builtin.hpp"

namespace tutti::machine {
namespace {

constexpr BuiltinMachine table[] = {
#include "machine_profiles.inc"
};

}  // namespace

std::span<const BuiltinMachine> builtins() {
  return table;
}

}  // namespace tutti::machine
