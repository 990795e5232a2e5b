// SPDX-License-Identifier: BSD-3-Clause
// The words of operations in a file: the verbs in the order of schedule::Do, then the keys that
// stand beside them.
#pragma once

#include <cstddef>
#include <string_view>

#include "schedule/program.hpp"

namespace tutti::formats {

inline constexpr std::string_view words_of_operations[] = {
    "send", "receive", "receive_combine", "copy", "combine", "to", "from", "of"};
inline constexpr std::size_t verbs = static_cast<std::size_t>(schedule::Do::combine) + 1;

}  // namespace tutti::formats
