// SPDX-License-Identifier: BSD-3-Clause
// Checks of the numbers on the command line. An error says in words what is allowed. The checks of
// CLI11 would print the limits of a double and accept nan.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <string>

namespace tutti::tools {

// Accepts a whole number from `least` to `most`, in decimal digits. The error is for example "must
// be a whole number from 1 to 64, not '65'".
[[nodiscard]] CLI::Validator whole_number(std::int64_t least,
                                          std::int64_t most = std::numeric_limits<int>::max());

// Returns the same check with this name of an option in front of its error.
[[nodiscard]] CLI::Validator named(std::string name, CLI::Validator check);

// Accepts a count of at least one.
[[nodiscard]] CLI::Validator positive_count();

// Accept a finite number above 0, and a finite number from 0.
[[nodiscard]] CLI::Validator positive_number();
[[nodiscard]] CLI::Validator number_from_zero();

// Accepts a finite time above 0. The error is for example "must be a number of seconds above 0, not
// 'inf'".
[[nodiscard]] CLI::Validator positive_seconds();

}  // namespace tutti::tools
