// SPDX-License-Identifier: BSD-3-Clause
// The folder of links to tutti's own libraries. It holds nothing else, so the loader can search it
// first without a change to any other library, such as the MPI or the BLAS of a program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tutti::tools {

// Returns the folder beside the installed libraries, or the one in the build tree. Throws
// base::Error(system_error) if neither exists, or if the path has a colon or a semicolon, which the
// loader takes for the end of a path.
[[nodiscard]] std::filesystem::path links_folder();

// Folders and files that the loader uses first in programs that are started. Those that the user
// has set come after them.
struct LoadedFirst {
  std::vector<std::string> folders;  // folders in which the loader looks for libraries
  std::vector<std::string> files;    // libraries whose functions replace those of all others
};

// Changes the environment of all programs that this process starts from now on.
void put_first(const LoadedFirst& first);
// Changes `variables` ("NAME=VALUE") of one program, if some of them set folders or files.
void put_first(const LoadedFirst& first, std::vector<std::string>& variables);

}  // namespace tutti::tools
