// SPDX-License-Identifier: BSD-3-Clause
// Through which functions of the program a call of BSPlib came.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tutti::bsp {

// Return addresses in the program, the outermost first.
[[nodiscard]] std::vector<std::uint64_t> call_path();
// "main;solve;pivot": names without commas and quotes.
[[nodiscard]] std::string call_path_text(const std::vector<std::uint64_t>& path);

}  // namespace tutti::bsp
