// SPDX-License-Identifier: BSD-3-Clause
// Reads a file by a descriptor that no printing of the program can meet.
#pragma once

#include <string>

namespace tutti::bsp {

// Returns what is in the file; "" if it cannot be read.
[[nodiscard]] std::string text_of_file(const std::string& path);

}  // namespace tutti::bsp
