// SPDX-License-Identifier: BSD-3-Clause
// Whole numbers in names of nodes and topologies.
#pragma once

#include <string_view>

#include "base/number.hpp"

namespace tutti::machine {

// The whole text as a number without sign and leading zeros, at most `most`; -1 if it is something
// else.
[[nodiscard]] inline int number(std::string_view text, int most) {
  const auto value = base::number_in<int>(text);
  return value && *value >= 0 && *value <= most && (text.size() == 1 || text[0] != '0') ? *value
                                                                                        : -1;
}

}  // namespace tutti::machine
