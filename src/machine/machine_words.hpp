// SPDX-License-Identifier: BSD-3-Clause
// Gives the words with which files say how a machine works, in the order of the enumerations.
#pragma once

#include <span>
#include <string_view>

#include "machine/machine.hpp"

namespace tutti::machine {

[[nodiscard]] std::span<const std::string_view> words_of(Switching);
[[nodiscard]] std::span<const std::string_view> words_of(Ports);
[[nodiscard]] std::span<const std::string_view> words_of(Handover);

}  // namespace tutti::machine
