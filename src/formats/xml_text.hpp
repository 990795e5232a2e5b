// SPDX-License-Identifier: BSD-3-Clause
// Reads XML tag by tag, as far as files of schedules use it: elements with attributes, comments and
// a prolog; no text between tags, no entities, no document types. Errors name file and line.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::formats {

class XmlText {
 public:
  // `file` is the name in errors. The object refers to both.
  XmlText(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  // Takes the beginning of an element of this name and its attributes. Returns false if another tag
  // comes, or the end.
  [[nodiscard]] bool enter(std::string_view name);
  // Takes the end of the element that was entered last and not left.
  void leave();
  // Throws unless the text ends here.
  void end();

  // These return attributes of the element that was entered last. Integers have a least and a
  // greatest value.
  [[nodiscard]] std::string_view text(std::string_view attribute) const;
  [[nodiscard]] int integer(std::string_view attribute, std::int64_t least,
                            std::int64_t most) const;
  [[nodiscard]] std::optional<std::string_view> optional(std::string_view attribute) const;
  // Returns the attributes of the element that are not in the list.
  [[nodiscard]] std::vector<std::string_view> others(
      std::initializer_list<std::string_view> attributes) const;
  // Returns the number of the line that is being read.
  [[nodiscard]] std::int64_t line() const;

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    refuse(fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const;
  void skip_space();
  void skip_other();
  std::string_view take_name();
  void take_attributes();

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::vector<std::string_view> open_;
  bool empty_ = false;  // the element that was entered last has ended in its own tag
  std::vector<std::pair<std::string_view, std::string_view>> attributes_;
};

}  // namespace tutti::formats
