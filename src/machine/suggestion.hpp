// SPDX-License-Identifier: BSD-3-Clause
// Suggests known words in place of one that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tutti::machine {

// "; did you mean 'hop'?" with the nearest known word, or, if none is near, "; known are alpha,
// beta, ...".
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string_view> known);

}  // namespace tutti::machine
