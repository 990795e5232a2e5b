// SPDX-License-Identifier: BSD-3-Clause
// Reads GOAL, the schedules of LogGOPSim, as its program txt2bin does.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "formats/limits.hpp"
#include "formats/message_graph.hpp"

namespace tutti::formats {
namespace {

using Kind = MessageNode::Kind;

constexpr std::size_t most_shown = 40;  // bytes of a word

// The words of a text. A line ends a statement, so an end of line is a word, too.
class Words {
 public:
  Words(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  // Returns the next word without taking it: letters and digits, one other sign, "\n", or nothing
  // at the end.
  [[nodiscard]] std::string_view peek() {
    skip();
    std::size_t end = at_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    return text_.substr(at_, end > at_ ? end - at_ : std::min<std::size_t>(1, text_.size() - at_));
  }
  std::string_view take() {
    const std::string_view word = peek();
    at_ += word.size();
    if (word == "\n") ++line_;
    return word;
  }
  [[nodiscard]] bool take_if(std::string_view wanted) {
    if (peek() != wanted) return false;
    take();
    return true;
  }
  void expect(std::string_view wanted) {
    const std::string_view word = peek();
    if (word != wanted) refuse_word(word, fmt::format("'{}'", wanted));
    take();
  }
  // Takes the end of a line, which the end of the text and a } stand for as well.
  void end_line() {
    const std::string_view word = peek();
    if (word.empty() || word == "}") return;
    if (word != "\n") refuse_word(word, "the end of the line");
    take();
  }
  // Takes a number, behind which `unit` may stand without a space.
  std::int64_t number(std::int64_t most, std::string_view unit = {}) {
    std::string_view word = peek();
    const std::string_view whole = word;
    const bool has_unit = !unit.empty() && word.size() > unit.size() && word.ends_with(unit);
    if (has_unit) word.remove_suffix(unit.size());
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < 0)
      refuse_word(whole, "a number");
    if (value > most) fail("{} is above the limit, {}", value, most);
    take();
    if (!unit.empty() && !has_unit) expect(unit);
    return value;
  }
  void skip_lines() {
    while (peek() == "\n") take();
  }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    base::fail(base::Status::invalid_argument, "{} line {}: {}", file_, line_,
               fmt::format(format, std::forward<Args>(args)...));
  }
  [[noreturn]] void refuse_word(std::string_view word, const std::string& wanted) const {
    const std::string shown = word.empty() ? "the end"
                              : word == "\n"
                                  ? "the end of the line"
                                  : fmt::format("'{}'", base::printable(word, most_shown));
    fail("{} stands where {} is expected", shown, wanted);
  }

 private:
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  void skip() {
    for (;;) {
      while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r'))
        ++at_;
      if (text_.substr(at_, 2) == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail("a comment does not end");
        line_ +=
            static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                        text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : words_(text, file) {}

  MessageGraph run() {
    words_.skip_lines();
    words_.expect("num_ranks");
    ranks_ = static_cast<int>(words_.number(most_ranks));
    if (ranks_ < 1) words_.fail("there are no ranks");
    graph_.resize(static_cast<std::size_t>(ranks_));
    std::vector<bool> seen(graph_.size());
    for (words_.skip_lines(); !words_.peek().empty(); words_.skip_lines()) {
      words_.expect("rank");
      rank_ = static_cast<int>(words_.number(std::numeric_limits<int>::max()));
      if (rank_ >= ranks_) words_.fail("there is no rank {}, only 0 to {}", rank_, ranks_ - 1);
      if (seen[static_cast<std::size_t>(rank_)]) words_.fail("rank {} stands twice", rank_);
      seen[static_cast<std::size_t>(rank_)] = true;
      read_rank();
    }
    const auto missing = std::find_if(seen.begin(), seen.end(), [](bool there) { return !there; });
    if (missing != seen.end()) words_.fail("rank {} is missing", missing - seen.begin());
    return std::move(graph_);
  }

 private:
  static constexpr std::int64_t most_bytes = std::int64_t{1} << 46;

  void read_rank() {
    words_.skip_lines();
    words_.expect("{");
    labels_.clear();
    for (words_.skip_lines(); !words_.take_if("}"); words_.skip_lines()) read_statement();
  }

  // A statement is an operation, with or without a label, or a dependence between two labels.
  void read_statement() {
    const std::string_view first = words_.take();
    if (is_operation(first)) return read_operation(first);
    if (first.empty() || first == "{" || first == ":") words_.refuse_word(first, "a statement");
    const std::string_view second = words_.take();
    if (second == ":") {
      const auto number = static_cast<int>(nodes().size());
      if (!labels_.emplace(first, number).second) words_.fail("label {} stands twice", first);
      const std::string_view what = words_.take();
      if (!is_operation(what)) words_.refuse_word(what, "send, recv or calc");
      return read_operation(what);
    }
    if (second != "requires" && second != "irequires")
      words_.refuse_word(second, "':', requires or irequires");
    const int waiting = label(first), before = label(words_.take());
    MessageNode& node = nodes()[static_cast<std::size_t>(waiting)];
    (second == "requires" ? node.after : node.after_start).push_back(before);
    words_.end_line();
  }

  static bool is_operation(std::string_view word) {
    return word == "send" || word == "recv" || word == "calc";
  }

  void read_operation(std::string_view what) {
    if (++operations_ > most_operations)
      words_.fail("there are more operations than the limit, {}", most_operations);
    MessageNode node{what == "send"   ? Kind::send
                     : what == "recv" ? Kind::receive
                                      : Kind::work,
                     -1,
                     0,
                     0,
                     {}};
    if (node.kind == Kind::work) {
      node.bytes = words_.number(most_bytes);
    } else {
      node.bytes = words_.number(most_bytes, "b");
      words_.expect(node.kind == Kind::send ? "to" : "from");
      if (words_.take_if("-"))
        words_.fail(
            "a recv from -1 takes whatever comes first, so the file does not say which send it "
            "meets: name the rank");
      node.peer = static_cast<int>(words_.number(std::numeric_limits<int>::max()));
      if (node.peer >= ranks_)
        words_.fail("there is no rank {}, only 0 to {}", node.peer, ranks_ - 1);
      if (node.peer == rank_) words_.fail("rank {} has a message to itself", rank_);
    }
    read_rest(node);
    words_.end_line();
    nodes().push_back(std::move(node));
  }

  void read_rest(MessageNode& node) {
    for (;;) {
      if (node.kind != Kind::work && words_.take_if("tag")) {
        if (words_.take_if("-"))
          words_.fail(
              "a recv of tag -1 takes whatever comes first, so the file does not say which send it "
              "meets: name the tag");
        node.round = static_cast<int>(words_.number(std::numeric_limits<int>::max()));
      } else if (words_.take_if("cpu")) {
        node.processor = static_cast<int>(words_.number(std::numeric_limits<int>::max()));
      } else if (words_.take_if("nic")) {
        node.interface = static_cast<int>(words_.number(std::numeric_limits<int>::max()));
      } else {
        return;
      }
    }
  }

  int label(std::string_view name) {
    const auto found = labels_.find(name);
    if (found == labels_.end())
      words_.fail("there is no label '{}' before here", name.substr(0, 40));
    return found->second;
  }
  std::vector<MessageNode>& nodes() { return graph_[static_cast<std::size_t>(rank_)]; }

  Words words_;
  MessageGraph graph_;
  int ranks_ = 0, rank_ = 0;
  std::int64_t operations_ = 0;
  std::map<std::string_view, int> labels_;
};

}  // namespace

MessageGraph read_goal(std::string_view text, std::string_view file) {
  return Reader(text, file).run();
}

}  // namespace tutti::formats
