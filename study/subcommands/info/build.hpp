// SPDX-License-Identifier: BSD-3-Clause
// How this tutti was built: commit, compilers, flags, MPIs, and what is left out.
#pragma once

#include <nlohmann/json.hpp>

namespace tutti::tools {

void print_build();
[[nodiscard]] nlohmann::json build_json();

}  // namespace tutti::tools
