// SPDX-License-Identifier: BSD-3-Clause
// Reads whole numbers in names of nodes and topologies.
#pragma once

#include <string_view>

#include "base/number.hpp"

namespace tutti::machine {

// Returns the number if the whole text is one without sign and leading zeros, and at most `most`;
// else -1.
[[nodiscard]] inline int number(std::string_view text, int most) {
  const auto value = base::number_in<int>(text);
  return value && *value >= 0 && *value <= most && (text.size() == 1 || text[0] != '0') ? *value
                                                                                        : -1;
}

}  // namespace tutti::machine
