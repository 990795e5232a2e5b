// SPDX-License-Identifier: BSD-3-Clause
// The functions of the program through which a call of BSPlib came, for the profile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tutti::bsp {

// Returns the return addresses in the program, the outermost first.
[[nodiscard]] std::vector<std::uint64_t> call_path();
// Returns names without commas and quotes, such as "main;solve;pivot".
[[nodiscard]] std::string call_path_text(const std::vector<std::uint64_t>& path);

}  // namespace tutti::bsp
