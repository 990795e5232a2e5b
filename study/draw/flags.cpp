// SPDX-License-Identifier: BSD-3-Clause
// A line passes all rows below its words. So words stand in a higher row than those whose lines
// they would meet.
#include "draw/flags.hpp"

#include <algorithm>

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

// Returns true if the words of a flag must be above those of another one.
bool is_above(const std::vector<Flag>& flags, std::size_t one, std::size_t other, double letters) {
  const Span span = span_of(flags[one], letters), its = span_of(flags[other], letters);
  if (holds(span, flags[other].x)) return true;
  return meet(span, its) && !holds(its, flags[one].x) && one < other;
}

}  // namespace

std::vector<Flag> set_up(std::vector<Flag> flags, double letters, double edge) {
  std::stable_sort(flags.begin(), flags.end(),
                   [](const Flag& a, const Flag& b) { return a.x < b.x; });
  turn(flags, letters, edge);
  // Each pass settles at least one flag.
  for (std::size_t pass = 0; pass < flags.size(); ++pass)
    for (std::size_t one = 0; one < flags.size(); ++one)
      for (std::size_t other = 0; other < flags.size(); ++other)
        if (one != other && is_above(flags, one, other, letters))
          flags[one].row = std::max(flags[one].row, flags[other].row + 1);
  return flags;
}

int rows_of(const std::vector<Flag>& flags) {
  int rows = 0;
  for (const Flag& flag : flags) rows = std::max(rows, flag.row + 1);
  return rows;
}

}  // namespace tutti::draw
