// SPDX-License-Identifier: BSD-3-Clause
// Takes the tokens of JSON (RFC 8259) from the text.
#include "formats/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "formats/utf8.hpp"

namespace tutti::formats {
namespace {

constexpr int most_nesting = 64;

// Returns the character as a message shows it.
std::string shown(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code >= 0x7f ? fmt::format("the byte {}", code) : fmt::format("'{}'", c);
}

}  // namespace

void JsonText::refuse(const std::string& problem) const {
  const auto line =
      std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
  std::string path;
  for (const Step& step : path_) {
    if (step.index >= 0) {
      path += fmt::format("[{}]", step.index);
    } else if (!step.key.empty() && std::all_of(step.key.begin(), step.key.end(), [](char c) {
                 return (c >= 'a' && c <= 'z') || c == '_';
               })) {
      path += (path.empty() ? "" : ".") + step.key;
    } else {
      path += (path.empty() ? "" : ".") + json_string(step.key);
    }
  }
  base::fail(base::Status::invalid_argument, "{} line {}{}{}: {}", file_, line + 1,
             path.empty() ? "" : ", ", path, problem);
}

void JsonText::skip_space() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

char JsonText::peek() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

void JsonText::take(char wanted, const char* expected) {
  const char found = peek();
  if (at_ == text_.size()) fail("the text ends where {} is expected", expected);
  if (found != wanted) fail("{} is found where {} is expected", shown(found), expected);
  ++at_;
}

void JsonText::open(char bracket, const char* expected) {
  if (path_.size() >= most_nesting) fail("nested more than {} deep", most_nesting);
  take(bracket, expected);
}

bool JsonText::close(char bracket) {
  if (peek() != bracket || at_ == text_.size()) return false;
  ++at_;
  return true;
}

// A bracket behind a comma is found where the next value is expected.
void JsonText::comma() {
  take(',', "',' or the end of the list");
  const char next = peek();
  if (next == ']' || next == '}') fail("a comma stands before {}", shown(next));
}

bool JsonText::word(std::string_view wanted) {
  static_cast<void>(peek());
  if (text_.substr(at_, wanted.size()) != wanted) return false;
  at_ += wanted.size();
  return true;
}

bool JsonText::null() {
  return word("null");
}

bool JsonText::boolean() {
  if (word("true")) return true;
  if (word("false")) return false;
  fail("true or false is expected");
}

std::int64_t JsonText::integer() {
  static_cast<void>(peek());
  const char* const first = text_.data() + at_;
  const char* const last = text_.data() + text_.size();
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(first, last, value);
  if (error == std::errc::result_out_of_range) fail("the number is too large");
  if (error != std::errc()) fail("a whole number is expected");
  const char* const digits = *first == '-' ? first + 1 : first;
  if (*digits == '0' && rest - digits > 1) fail("a number begins with a zero");
  if (*digits == '0' && digits != first) fail("the number is -0");
  if (rest != last && (*rest == '.' || *rest == 'e' || *rest == 'E'))
    fail("the number is not written as a whole number");
  at_ = static_cast<std::size_t>(rest - text_.data());
  return value;
}

std::string JsonText::string(std::size_t most) {
  take('"', "a string");
  std::string out;
  while (true) {
    if (at_ == text_.size()) fail("the text ends in a string");
    const char c = text_[at_++];
    if (c == '"') break;
    if (static_cast<unsigned char>(c) < 0x20) fail("a string holds {}", shown(c));
    if (c == '\\') {
      append_escape(out);
    } else {
      out += c;
    }
    if (out.size() > most) fail("a string is longer than {} bytes", most);
  }
  if (!is_utf8(out)) fail("a string is not UTF-8");
  return out;
}

std::uint32_t JsonText::escaped_unit() {
  std::uint32_t unit = 0;
  const std::string_view digits = text_.substr(at_, 4);
  const auto [rest, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  if (digits.size() != 4 || error != std::errc() || rest != digits.data() + 4)
    fail("\\u is not followed by four hexadecimal digits");
  at_ += 4;
  return unit;
}

void JsonText::append_escape(std::string& out) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  const char letter = at_ < text_.size() ? text_[at_++] : '\0';
  const std::size_t found = letters.find(letter);
  if (found != std::string_view::npos && letter != '\0') {
    out += meanings[found];
    return;
  }
  if (letter != 'u') fail("\\{} is no escape", letter);
  std::uint32_t code = escaped_unit();
  if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_, 2) == "\\u") {
    at_ += 2;
    const std::uint32_t low = escaped_unit();
    if (low < 0xdc00 || low >= 0xe000) fail("half a character is escaped");
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  if (code >= 0xd800 && code < 0xe000) fail("half a character is escaped");
  append_utf8(out, code);
}

void JsonText::skip_string() {
  take('"', "a string");
  for (; at_ < text_.size() && text_[at_] != '"'; ++at_)
    if (text_[at_] == '\\') ++at_;
  if (at_ >= text_.size()) {
    at_ = text_.size();
    fail("the text ends in a string");
  }
  ++at_;
}

// Only brackets and strings matter here. The caller checks the rest when it takes the value.
void JsonText::skip() {
  int depth = 0;
  do {
    const char c = peek();
    if (at_ == text_.size()) fail("the text ends in a value");
    if (c == '"') {
      skip_string();
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth < 0) fail("{} is found where a value is expected", shown(c));
    if (depth > most_nesting) fail("nested more than {} deep", most_nesting);
    ++at_;
    if (depth == 0 && c != '}' && c != ']')
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
  } while (depth > 0);
}

void JsonText::end() {
  const char c = peek();
  if (at_ < text_.size()) fail("{} is found behind the end", shown(c));
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace tutti::formats
