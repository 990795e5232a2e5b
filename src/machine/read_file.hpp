// SPDX-License-Identifier: BSD-3-Clause
// Reads files of machines and tables as text.
#pragma once

#include <string>

namespace tutti::machine {

// Throws Error(invalid_argument) if the file cannot be read or is too long. `what` names the kind
// of file in the message, such as "machine profile".
[[nodiscard]] std::string read_file(const std::string& path, const char* what);

}  // namespace tutti::machine
