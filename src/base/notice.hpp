// SPDX-License-Identifier: BSD-3-Clause
// Prints on stderr for people.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "base/printable.hpp"

namespace tutti::base {

// Prints on stderr, where control characters are shown as numbers, because files and users wrote
// some of the words. If stderr cannot be written, nothing more can be said, and the exit code tells
// alone. fmt::print would throw.
template <class... Args>
void notice(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = without_controls(fmt::format(format, std::forward<Args>(args)...));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace tutti::base
