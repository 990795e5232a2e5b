// SPDX-License-Identifier: BSD-3-Clause
// Finds the runs in a list of numbers.
#include "base/number_list.hpp"

#include <fmt/format.h>

namespace tutti::base {

std::string number_list(std::span<const int> numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    const char* separator = i == 0 ? "" : ", ";
    if (last < i + 2) last = i;  // two neighbours read better as "2, 3"
    text += last == i ? fmt::format("{}{}", separator, numbers[i])
                      : fmt::format("{}{}-{}", separator, numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace tutti::base
