// SPDX-License-Identifier: BSD-3-Clause
// Makes command lines for messages that tell a user what to type instead.
#pragma once

#include <string>
#include <string_view>

namespace tutti::base {

// Returns "tutti run -n 4 ./prog" with the name under which this program was started, or "-n N" if
// n is not known (0). `before` stands in front of the program, such as " tutti mpi".
[[nodiscard]] std::string run_line(std::string_view launcher, int n, std::string_view before = "");

}  // namespace tutti::base
