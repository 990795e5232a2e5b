// SPDX-License-Identifier: BSD-3-Clause
// Scans a TOML file. The scanner knows comments, the four kinds of texts, brackets and the places
// of table headers, and nothing else of TOML.
#include "machine/toml_characters.hpp"

#include <algorithm>
#include <string>

namespace tutti::machine {
namespace {

constexpr int most_dots = 64;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (text.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  std::optional<StrayCharacter> run() {
    while (at_ < text_.size() && !stray_) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '"' || c == '\'') {
        begins_line_ = false;
        skip_text(c);
      } else {
        check(at_);
        follow(c);
        ++at_;
      }
    }
    if (!stray_) return std::nullopt;
    const std::string_view before = text_.substr(0, *stray_);
    return StrayCharacter{1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                          why_};
  }

 private:
  void refuse(std::size_t at, const char* why) {
    stray_ = at;
    why_ = why;
  }

  // A bracket at the start of a line opens a header, unless a list or table is open.
  void follow(char c) {
    if (c == '[' && begins_line_ && open_.empty()) check_header();
    if (c >= '0' && c <= '9') check_date();
    if (c == '.' && ++dots_ > most_dots) refuse(at_, "a name has too many parts with dots between");
    if (c == '\n' || c == '=' || c == ',') dots_ = 0;
    if (c == '[' || c == '{') open_ += c;
    if (c == '}' && !open_.empty() && open_.back() == '[')
      refuse(at_, "a '}' stands in a list that '[' has opened");
    if ((c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    begins_line_ = c == '\n' || (begins_line_ && (c == ' ' || c == '\t'));
  }

  void check_header() {
    std::size_t next = at_ + 1;
    if (next < text_.size() && text_[next] == '[') ++next;
    next = text_.find_first_not_of(" \t", next);
    if (next == std::string_view::npos || begins_key(text_[next]) || text_[next] == ']') return;
    refuse(next, "the name of a table begins with a letter, a digit, '_', '-' or a quote");
  }

  // Finds text that toml++ takes for a date that a time may follow: ten characters that begin with
  // a digit, not counting underscores, with '-' in two fixed places.
  void check_date() {
    constexpr std::size_t length = 10;
    std::string date;
    std::size_t next = at_;
    for (; next < text_.size() && (date.size() < length || text_[next] == '_'); ++next) {
      const char c = text_[next];
      if (std::string_view(" \t\r\n#,]}").find(c) != std::string_view::npos) return;
      if (c != '_') date += c;
    }
    if (date.size() < length || date[4] != '-' || date[7] != '-') return;
    const std::string_view after = text_.substr(next, 2);
    const bool ends =
        after.empty() || after.find_first_not_of(" \t\r\n#,]}=.") == std::string_view::npos;
    if (!ends) refuse(at_, "a date with a time stands where no date is needed");
  }

  static bool begins_key(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '"' || c == '\'';
  }

  void check(std::size_t at) {
    if (at < text_.size() && static_cast<unsigned char>(text_[at]) > 127)
      refuse(at,
             "a character beyond ASCII stands outside of texts and comments, or after a backslash");
  }

  bool three(char quote) const {
    return at_ + 2 < text_.size() && text_[at_] == quote && text_[at_ + 1] == quote &&
           text_[at_ + 2] == quote;
  }

  // A text of one line ends at the end of the line at the latest.
  void skip_text(char quote) {
    const bool lines = three(quote);
    at_ += lines ? 3 : 1;
    for (; at_ < text_.size() && !stray_; ++at_) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        skip_escape(lines);
      } else if (lines ? three(quote) : c == quote || c == '\n') {
        end_text(quote, lines);
        return;
      }
    }
  }

  // A text of several lines may itself end in one or two quotes.
  void end_text(char quote, bool lines) {
    at_ += lines ? 3 : 1;
    for (int more = 0; lines && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more)
      ++at_;
  }

  // Stops at the last character of the escape. A backslash at the end of a line swallows the white
  // space after it.
  void skip_escape(bool lines) {
    std::size_t next = at_ + 1;
    if (lines) next = std::min(text_.find_first_not_of(" \t\r\n", next), text_.size());
    check(next);
    at_ = lines && next > at_ + 1 ? next - 1 : next;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::size_t> stray_;
  const char* why_ = nullptr;
  bool begins_line_ = true;
  int dots_ = 0;      // of the present name or number
  std::string open_;  // open brackets of lists and inline tables
};

}  // namespace

std::optional<StrayCharacter> stray_character(std::string_view toml) {
  return Scanner(toml).run();
}

}  // namespace tutti::machine
