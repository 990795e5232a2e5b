// SPDX-License-Identifier: BSD-3-Clause
// Machine files as text.
#pragma once

#include <string>

namespace tutti::machine {

// Throws Error(invalid_argument) if the file cannot be read or is too long for what it should be.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace tutti::machine
