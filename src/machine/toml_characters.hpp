// SPDX-License-Identifier: BSD-3-Clause
// Where a TOML file has characters beyond ASCII. TOML allows them in texts and comments only, and toml++ 3.3 does not
// survive some of them (U+00E9, for one) elsewhere: it runs into a place that it declares unreachable.
#pragma once

#include <optional>
#include <string_view>

namespace tutti::machine {

// The line of the first one where TOML does not allow it, or where it follows a backslash; none if all are in place.
[[nodiscard]] std::optional<int> line_of_stray_character(std::string_view toml);

}  // namespace tutti::machine
