// SPDX-License-Identifier: BSD-3-Clause
// Takes tags from the text.
#include "formats/xml_text.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/number.hpp"
#include "formats/utf8.hpp"

namespace tutti::formats {
namespace {

constexpr std::size_t most_attributes = 32;
constexpr std::size_t most_nesting = 8;
constexpr std::size_t most_shown = 40;

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

}  // namespace

std::int64_t XmlText::line() const {
  const auto place = static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
  return std::count(text_.begin(), text_.begin() + place, '\n') + 1;
}

void XmlText::refuse(const std::string& problem) const {
  base::fail(base::Status::invalid_argument, "{} line {}: {}", file_, line(), problem);
}

void XmlText::skip_space() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

// Skips space, comments and the prolog.
void XmlText::skip_other() {
  while (true) {
    skip_space();
    const bool comment = text_.substr(at_, 4) == "<!--";
    if (!comment && text_.substr(at_, 2) != "<?") return;
    const std::string_view closing = comment ? "-->" : "?>";
    const std::size_t end = text_.find(closing, at_ + (comment ? 4 : 2));
    if (end == std::string_view::npos) fail("a comment does not end");
    at_ = end + closing.size();
  }
}

std::string_view XmlText::take_name() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_name(text_[at_])) ++at_;
  if (at_ == begin) fail("a name is expected");
  return text_.substr(begin, at_ - begin);
}

void XmlText::take_attributes() {
  attributes_.clear();
  for (skip_space(); at_ < text_.size() && is_name(text_[at_]); skip_space()) {
    const std::string_view name = take_name();
    if (optional(name)) fail("the attribute {} stands twice", name);
    if (attributes_.size() == most_attributes) fail("more than {} attributes", most_attributes);
    skip_space();
    if (text_.substr(at_, 1) != "=") fail("'=' is expected behind {}", name);
    ++at_;
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'') fail("the value of {} has no quotes", name);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("the value of {} does not end", name);
    const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
    if (value.find_first_of("<&\n") != std::string_view::npos)
      fail("the value of {} has one of the signs < and &, or a new line", name);
    if (!is_utf8(value)) fail("the value of {} is not UTF-8", name);
    attributes_.emplace_back(name, value);
    at_ = end + 1;
  }
}

bool XmlText::enter(std::string_view name) {
  if (empty_) return false;
  skip_other();
  const std::size_t begin = at_;
  if (text_.substr(at_, 1) != "<" || text_.substr(at_, 2) == "</") return false;
  ++at_;
  if (take_name() != name) {
    at_ = begin;
    return false;
  }
  if (open_.size() == most_nesting) fail("nested more than {} deep", most_nesting);
  open_.push_back(name);
  take_attributes();
  empty_ = text_.substr(at_, 2) == "/>";
  if (!empty_ && text_.substr(at_, 1) != ">") fail("the tag {} does not end with '>'", name);
  at_ += empty_ ? 2 : 1;
  return true;
}

void XmlText::leave() {
  const std::string_view name = open_.back();
  open_.pop_back();
  if (empty_) {
    empty_ = false;
    return;
  }
  skip_other();
  const std::string_view closing = text_.substr(at_, 2);
  if (closing != "</")
    fail("</{}> is expected, and '{}' is found", name,
         text_.substr(at_, std::min(text_.find('\n', at_) - at_, most_shown)));
  at_ += 2;
  if (take_name() != name) fail("</{}> is expected", name);
  skip_space();
  if (text_.substr(at_, 1) != ">") fail("</{}> is expected", name);
  ++at_;
}

void XmlText::end() {
  skip_other();
  if (at_ < text_.size()) fail("something stands behind the end");
}

std::optional<std::string_view> XmlText::optional(std::string_view attribute) const {
  for (const auto& [name, value] : attributes_)
    if (name == attribute) return value;
  return std::nullopt;
}

std::string_view XmlText::text(std::string_view attribute) const {
  const auto value = optional(attribute);
  if (!value) fail("{} has no attribute {}", open_.back(), attribute);
  return *value;
}

int XmlText::integer(std::string_view attribute, std::int64_t least, std::int64_t most) const {
  const std::string_view value = text(attribute);
  const auto number = base::number_in<std::int64_t>(value);
  if (!number)
    fail("{} is '{}' but must be a whole number", attribute, value.substr(0, most_shown));
  if (*number < least || *number > most)
    fail("{} is {}, limit {} to {}", attribute, *number, least, most);
  return static_cast<int>(*number);
}

std::vector<std::string_view> XmlText::others(
    std::initializer_list<std::string_view> attributes) const {
  std::vector<std::string_view> found;
  for (const auto& entry : attributes_)
    if (std::find(attributes.begin(), attributes.end(), entry.first) == attributes.end())
      found.push_back(entry.first);
  return found;
}

}  // namespace tutti::formats
