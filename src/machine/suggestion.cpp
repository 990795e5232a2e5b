// SPDX-License-Identifier: BSD-3-Clause
// Writes the end of a message about an unknown key.
#include "machine/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest.hpp"

namespace tutti::machine {

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  if (const auto meant = base::nearest(word, known))
    return fmt::format("; did you mean '{}'?", *meant);
  return fmt::format("; known are {}", fmt::join(known, ", "));
}

}  // namespace tutti::machine
