// SPDX-License-Identifier: BSD-3-Clause
// The SHA-256 of a text (FIPS 180-4), for things that a stranger must not be able to forge.
#pragma once

#include <string>
#include <string_view>

namespace tutti::base {

// Returns the hash as 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace tutti::base
