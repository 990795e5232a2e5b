// SPDX-License-Identifier: BSD-3-Clause
// A line passes all rows below its words. So words stand in a higher row than those whose lines
// they would meet.
#include "draw/flags.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "draw/svg_page.hpp"

namespace tutti::draw {
namespace {

constexpr double beside = 5, apart = 8;

struct Span {
  double from, to;
};

Span span_of(const Flag& flag, double letters) {
  const double wide = beside + text_width(flag.words, letters) + apart;
  return flag.to_the_left ? Span{flag.x - wide, flag.x} : Span{flag.x, flag.x + wide};
}

bool meet(Span a, Span b) {
  return a.from < b.to && b.from < a.to;
}

bool holds(Span span, double x) {
  return span.from < x && x < span.to;
}

// Turns words that would pass the edge to the left, and then those that would lie across the line
// of a turned one whose words lie across theirs.
void turn(std::vector<Flag>& flags, double letters, double edge) {
  for (Flag& flag : flags) flag.to_the_left = span_of(flag, letters).to > edge + apart;
  for (auto flag = flags.rbegin(); flag != flags.rend(); ++flag)
    for (const Flag& other : flags)
      if (!flag->to_the_left && other.to_the_left && holds(span_of(*flag, letters), other.x) &&
          holds(span_of(other, letters), flag->x))
        flag->to_the_left = true;
}

// The flags that have no row yet. The words of a flag stand above those whose lines they would
// meet.
class Waiting {
 public:
  Waiting(const std::vector<Flag>& flags, double letters) : flags_(flags) {
    for (std::size_t i = 0; i < flags.size(); ++i) {
      spans_.push_back(span_of(flags[i], letters));
      left_.push_back(i);
    }
  }

  [[nodiscard]] bool empty() const { return left_.empty(); }
  // Returns and removes the last flag whose words meet no line of a waiting one.
  std::size_t take() {
    auto found = std::find_if(left_.rbegin(), left_.rend(), [&](std::size_t one) {
      return std::none_of(left_.begin(), left_.end(),
                          [&](std::size_t other) { return holds(spans_[one], flags_[other].x); });
    });
    if (found == left_.rend()) found = left_.rbegin();  // two lie across the lines of each other
    const std::size_t taken = *found;
    left_.erase(std::next(found).base());
    return taken;
  }
  // Returns the row above all that have one and meet the words or the line of this flag.
  [[nodiscard]] int row_of(std::size_t one) const {
    int row = 0;
    for (std::size_t other = 0; other < flags_.size(); ++other)
      if (std::find(left_.begin(), left_.end(), other) == left_.end() && other != one &&
          meet(spans_[one], spans_[other]))
        row = std::max(row, flags_[other].row + 1);
    return row;
  }

 private:
  const std::vector<Flag>& flags_;
  std::vector<Span> spans_;
  std::vector<std::size_t> left_;
};

}  // namespace

std::vector<Flag> set_up(std::vector<Flag> flags, double letters, double edge) {
  std::stable_sort(flags.begin(), flags.end(),
                   [](const Flag& a, const Flag& b) { return a.x < b.x; });
  turn(flags, letters, edge);
  for (Waiting waiting(flags, letters); !waiting.empty();) {
    const std::size_t next = waiting.take();
    flags[next].row = waiting.row_of(next);
  }
  return flags;
}

int rows_of(const std::vector<Flag>& flags) {
  int rows = 0;
  for (const Flag& flag : flags) rows = std::max(rows, flag.row + 1);
  return rows;
}

}  // namespace tutti::draw
