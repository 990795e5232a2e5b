// SPDX-License-Identifier: BSD-3-Clause
// Lists of numbers for people to read.
#pragma once

#include <span>
#include <string>

namespace tutti::base {

// Returns the numbers in their order, such as "0-2, 5": three or more that count up are shortened.
[[nodiscard]] std::string number_list(std::span<const int> numbers);

}  // namespace tutti::base
