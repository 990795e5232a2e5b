// SPDX-License-Identifier: BSD-3-Clause
// Reads JSON value by value. The caller says what it expects and takes the values in the order of
// the text, so nothing is built that the caller does not want. Every error names the file, the
// line and the path of the value, such as rounds[2]."0"[1].to.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace tutti::formats {

class JsonText {
 public:
  // `file` is the name in errors. The object refers to both.
  JsonText(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  // Takes an object. Calls member(key) for each key; it must take the value.
  template <class Member>
  void object(Member member) {
    open('{', "an object");
    for (bool first = true; !close('}'); first = false) {
      if (!first) comma();
      const std::string key = string(most_key);
      take(':', "':' and a value");
      path_.push_back({key, -1});
      member(std::string_view(key));
      path_.pop_back();
    }
  }
  // Takes an array. Calls element() for each element; it must take the value.
  template <class Element>
  void array(Element element) {
    open('[', "an array");
    path_.push_back({{}, 0});
    for (; !close(']'); ++path_.back().index) {
      if (path_.back().index > 0) comma();
      element();
    }
    path_.pop_back();
  }
  [[nodiscard]] std::string string(std::size_t most);
  [[nodiscard]] std::int64_t integer();
  [[nodiscard]] bool boolean();
  // Takes a null and returns true, or returns false if the value is another one.
  [[nodiscard]] bool null();
  // Returns the first character of the next value, which tells its kind; 0 at the end.
  [[nodiscard]] char peek();
  // Takes any value, without looking at it. Throws if it is nested deeply.
  void skip();
  // Throws unless the text ends here.
  void end();

  // Returns the place of the next value. go_to() goes on from there.
  [[nodiscard]] std::size_t place() const { return at_; }
  void go_to(std::size_t place) { at_ = place; }
  // Takes the place of a value out of the path that errors name, and puts another one there.
  void enter(std::string key) { path_.push_back({std::move(key), -1}); }
  void leave() { path_.pop_back(); }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    refuse(fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  struct Step {
    std::string key;
    std::int64_t index;  // of an element; below 0 for a member
  };
  static constexpr std::size_t most_key = 32;

  [[noreturn]] void refuse(const std::string& problem) const;
  void skip_space();
  void take(char wanted, const char* expected);
  void open(char bracket, const char* expected);
  bool close(char bracket);
  void comma();
  bool word(std::string_view wanted);
  void skip_string();
  std::uint32_t escaped_unit();
  void append_escape(std::string& out);

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::vector<Step> path_;
};

// Returns the text as a JSON string, with its quotes.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace tutti::formats
