// SPDX-License-Identifier: BSD-3-Clause
// Asks a program of the system for one line of text, from within a user's process.
#pragma once

#include <string>
#include <vector>

namespace tutti::launch {

// Returns the first line that a program prints on stdout, which must be all that it prints; "" if
// it prints nothing or cannot be run. The program is looked up in PATH. Its stdin is empty, its
// stderr is lost, and the kernel kills it when this process ends.
[[nodiscard]] std::string first_line_of(std::vector<std::string> words);

}  // namespace tutti::launch
