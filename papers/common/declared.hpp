// SPDX-License-Identifier: BSD-3-Clause
// The names that our headers declare.
#pragma once

#include <string_view>

namespace tutti::papers {

// Tells if a header, such as "tutti_blacs" or "nx", declares a function of this name. The header
// "mpi" stands for the collectives that libtutti-mpi takes over. Throws base::Error if there is no
// such header.
[[nodiscard]] bool declares(std::string_view header, std::string_view name);
// The header of ours that declares the function; empty if none does.
[[nodiscard]] std::string_view header_with(std::string_view name);

}  // namespace tutti::papers
