// SPDX-License-Identifier: BSD-3-Clause
// Describes operations for error messages.
#include "engine/tag.hpp"

#include <fmt/format.h>

#include "schedule/printer.hpp"

namespace tutti::engine {

std::string describe_operation(Tag tag, std::int64_t number, std::string_view group) {
  const std::string root = has_root(tag.operation()) ? fmt::format(", root {}", tag.root()) : "";
  return fmt::format("{} (operation #{} of {}{})", schedule::to_text(tag.operation()), number,
                     group, root);
}

}  // namespace tutti::engine
