// SPDX-License-Identifier: BSD-3-Clause
// Checks of the numbers on the command line. A refusal says in words what is allowed, where the
// checks of CLI11 print the limits of a double and let nan pass.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>

namespace tutti::tools {

// A whole number from `least` to `most`, in decimal digits: "must be a whole number from 1 to 64,
// not '65'".
[[nodiscard]] CLI::Validator whole_number(std::int64_t least,
                                          std::int64_t most = std::numeric_limits<int>::max());

// How many of something there are: at least one.
[[nodiscard]] CLI::Validator positive_count();

// A finite number above 0, and one that may be 0.
[[nodiscard]] CLI::Validator positive_number();
[[nodiscard]] CLI::Validator number_from_zero();

// A finite time above 0: "must be a number of seconds above 0, not 'inf'".
[[nodiscard]] CLI::Validator positive_seconds();

}  // namespace tutti::tools
