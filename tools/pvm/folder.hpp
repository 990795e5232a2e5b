// SPDX-License-Identifier: BSD-3-Clause
// Where the libraries of PVM, its headers and the console are.
#pragma once

#include <filesystem>

namespace tutti::tools {

// Throws base::Error(system_error) when they are neither installed beside this command nor in its
// build tree.
[[nodiscard]] std::filesystem::path pvm_folder();

}  // namespace tutti::tools
