// SPDX-License-Identifier: BSD-3-Clause
// The folder of links to tutti's own libraries. It holds nothing else, so a search of it before all
// other folders changes no other library: neither the MPI nor the BLAS of a program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tutti::tools {

// Beside the installed libraries, or in the build tree. Throws base::Error(system_error) when it is
// at neither place, or when its path has a colon or a semicolon, which the loader takes for the end
// of a path.
[[nodiscard]] std::filesystem::path links_folder();

// What comes before everything else of its kind in programs that are started; what the user has set
// comes behind it.
struct LoadedFirst {
  std::vector<std::string> folders;  // where the loader looks for libraries
  std::vector<std::string> files;    // libraries whose functions replace those of all others
};

// For all programs that this process starts from now on.
void put_first(const LoadedFirst& first);
// For programs with variables of their own, "NAME=VALUE", where some of them name folders or files.
void put_first(const LoadedFirst& first, std::vector<std::string>& variables);

}  // namespace tutti::tools
