// SPDX-License-Identifier: BSD-3-Clause
// Suggests known words in place of an unknown one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tutti::machine {

// Returns "; did you mean 'hop'?" with the nearest known word, or "; known are alpha, beta, ..." if
// none is near.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string_view> known);

}  // namespace tutti::machine
