// SPDX-License-Identifier: BSD-3-Clause
// The texts, written by embed.cmake into a file of the build.
#include "machine/builtin.hpp"

namespace tutti::machine {
namespace {

constexpr Builtin table[] = {
#include "machine_profiles.inc"
};

}  // namespace

std::span<const Builtin> builtins() {
  return table;
}

}  // namespace tutti::machine
