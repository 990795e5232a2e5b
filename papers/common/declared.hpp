// SPDX-License-Identifier: BSD-3-Clause
// The names that our headers declare.
#pragma once

#include <string_view>

namespace tutti::papers {

// Tells if a header, such as "tutti_blacs" or "nx", declares a function of this name. Throws
// base::Error if there is no such header.
[[nodiscard]] bool declares(std::string_view header, std::string_view name);

}  // namespace tutti::papers
