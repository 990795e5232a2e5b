// SPDX-License-Identifier: BSD-3-Clause
#include "papers/000/blacs_drawings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "draw/svg_page.hpp"

namespace tutti::papers {
namespace {

using draw::Anchor;
using draw::Point;
using draw::SvgPage;

constexpr Point title_at{12, 20};
constexpr const char* shade = "#bcd4ee";

// ---- calls ----

constexpr Point call_size{140, 24};
constexpr double between_columns = 240, between_lines = 36;

struct Call {
  schedule::Do what;
  int peer;
};

std::vector<Call> calls_of(const schedule::Program& program) {
  std::vector<Call> calls;
  for (const schedule::Round& round : program)
    for (const schedule::Op& op : round.ops)
      if (op.what == schedule::Do::send || op.what == schedule::Do::receive)
        calls.push_back({op.what, op.to.first});
  return calls;
}

std::string text_of(const Call& call) {
  return fmt::format("{} {}", call.what == schedule::Do::send ? "send to" : "receive from",
                     call.peer);
}

// Draws the programs below `y`, and returns where they end. There is at most one message from one
// process to another.
double draw_calls(SvgPage& page, const Calls& calls, double y) {
  page.text({title_at.x, y}, calls.heading, Anchor::start);
  std::map<std::pair<int, int>, Point> sends, receives;  // the places of calls, by source and dest
  double end = y;
  for (std::size_t i = 0; i < calls.programs.size(); ++i) {
    const int me = static_cast<int>(i);
    Point corner{30 + between_columns * me, y + between_lines};
    page.text(corner + Point{call_size.x / 2, 0}, fmt::format("process {}", me), Anchor::middle);
    corner.y += 12;
    for (const Call& call : calls_of(calls.programs[i])) {
      const bool sends_it = call.what == schedule::Do::send;
      page.rectangle(corner, call_size, sends_it ? shade : "#eeeeee");
      page.text(corner + Point{call_size.x / 2, call_size.y / 2 + 4}, text_of(call),
                Anchor::middle);
      const bool to_the_right = call.peer > me;
      const Point edge = corner + Point{to_the_right ? call_size.x : 0, call_size.y / 2};
      if (sends_it)
        sends[{me, call.peer}] = edge;
      else
        receives[{call.peer, me}] = edge;
      corner.y += between_lines;
    }
    end = std::max(end, corner.y);
  }
  for (const auto& [message, from] : sends)
    page.line(from, receives.at(message), 0, "black", 1.6, draw::Head::arrow);
  return end + between_lines;
}

}  // namespace

std::string grid_svg(std::span<const Place> places, const std::string& title) {
  constexpr double side = 76, gap = 4;
  constexpr Point corner{70, 64}, middle{(side - gap) / 2, side / 2 + 2};
  SvgPage page;
  page.text(title_at, title, Anchor::start);
  for (const auto& [number, row, column] : places) {
    const Point at = corner + Point{side * column, side * row};
    page.rectangle(at, {side - gap, side - gap}, shade);
    page.text(at + middle, fmt::format("{}", number), Anchor::middle);
    if (row == 0)
      page.text(at + Point{middle.x, -8}, fmt::format("column {}", column), Anchor::middle);
    if (column == 0)
      page.text({title_at.x, at.y + middle.y}, fmt::format("row {}", row), Anchor::start);
  }
  return page.finish(title);
}

std::string calls_svg(std::span<const Calls> all, const std::string& title) {
  SvgPage page;
  page.text(title_at, title, Anchor::start);
  double y = title_at.y + between_lines;
  for (const Calls& calls : all) y = draw_calls(page, calls, y);
  return page.finish(title);
}

}  // namespace tutti::papers
