// SPDX-License-Identifier: BSD-3-Clause
// Describes operations for error messages.
#include "engine/tag.hpp"

#include <fmt/format.h>

#include "schedule/printer.hpp"

namespace tutti::engine {

std::string describe_operation(Tag tag, std::int64_t number) {
  return fmt::format("{} (operation #{} of group {:010x}, root {}, {})",
                     schedule::to_text(tag.operation()), number, tag.group(), tag.root(),
                     tag.mode() == Mode::blocking ? "blocking" : "non-blocking or persistent");
}

}  // namespace tutti::engine
