// SPDX-License-Identifier: BSD-3-Clause
// Finds the folder with the libraries of PVM, its headers and the console.
#pragma once

#include <filesystem>

namespace tutti::tools {

// Throws base::Error(system_error) if the folder is neither installed beside this command nor in
// its build tree.
[[nodiscard]] std::filesystem::path pvm_folder();

}  // namespace tutti::tools
