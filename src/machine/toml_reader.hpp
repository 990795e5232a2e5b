// SPDX-License-Identifier: BSD-3-Clause
// Base class of the readers of machine files, with errors that name file and line. Only files of
// this folder include it.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace tutti::machine {

// Throws an error about a line of the file; `line` 0 means the file as a whole.
template <class... Args>
[[noreturn]] void reject(const std::string& origin, int line, fmt::format_string<Args...> text,
                         Args&&... args) {
  const std::string where = line > 0 ? fmt::format("{}:{}", origin, line) : origin;
  base::fail(base::Status::invalid_argument, "machine profile {}: {}", where,
             fmt::format(text, std::forward<Args>(args)...));
}

[[nodiscard]] inline int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// Throws Error(invalid_argument) if the text is no valid TOML.
[[nodiscard]] toml::table parse_toml(std::string_view text, const std::string& origin);

// Returns words for messages, such as "a table" or "a text".
[[nodiscard]] const char* type_of(const toml::node& node);

class TomlReader {
 protected:
  explicit TomlReader(const std::string& origin) : origin_(origin) {}

  template <class... Args>
  [[noreturn]] void fail(const toml::node& where, fmt::format_string<Args...> text,
                         Args&&... args) const {
    reject(origin_, line_of(where), text, std::forward<Args>(args)...);
  }

  [[nodiscard]] std::string text_of(const toml::node& node, std::string_view key) const {
    const auto text = node.value<std::string>();
    if (!text) fail(node, "{} must be a text, not {}", key, type_of(node));
    return *text;
  }

  [[nodiscard]] const toml::array& array_of(const toml::node& node, std::string_view key) const {
    if (!node.is_array()) fail(node, "{} must be a list, not {}", key, type_of(node));
    return *node.as_array();
  }

  const std::string& origin_;
};

}  // namespace tutti::machine
