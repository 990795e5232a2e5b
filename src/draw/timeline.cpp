// SPDX-License-Identifier: BSD-3-Clause
// Bars on rows.
#include "draw/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {
namespace {

constexpr double left = 60, top = 70, width = 1200, row = 20, bar = 16;

struct Style {
  Doing doing;
  const char* name;
  const char* colour;
  double offset, height;  // within the bar of a row
};
constexpr std::array<Style, 8> styles{{{Doing::start, "start, blocked", "#b0c8e0", 0, 7},
                                       {Doing::send, "send", "#4878a8", 0, 7},
                                       {Doing::receive, "receive", "#60a860", 9, 7},
                                       {Doing::combine, "combine", "#c05050", 0, bar},
                                       {Doing::copy, "copy", "#d0a040", 0, bar},
                                       {Doing::compute, "compute", "#8868a8", 0, bar},
                                       {Doing::synchronise, "synchronise", "#909090", 0, bar},
                                       {Doing::wait, "wait", "#e4e4e4", 6, 4}}};

const Style& style_of(Doing doing) {
  return *std::find_if(styles.begin(), styles.end(),
                       [&](const Style& style) { return style.doing == doing; });
}

// The largest of 1, 2, 5, 10, ... that leaves at least six ticks.
double tick_of(double end) {
  const double unit = std::pow(10, std::floor(std::log10(end / 6)));
  for (const double factor : {5.0, 2.0})
    if (factor * unit <= end / 6) return factor * unit;
  return unit;
}

class Sheet {
 public:
  Sheet(const TimeLine& line, SvgPage& page)
      : line_(line), page_(page), end_(line.end > 0 ? line.end : 1) {}

  void axis() {
    const double bottom = top + row * line_.ranks, tick = tick_of(end_);
    for (double time = 0; time <= end_; time += tick) {
      page_.line({x(time), top - 6}, {x(time), bottom}, 0, "#d0d0d0", 0.6, Head::none);
      page_.text({x(time), top - 10}, fmt::format("{:g}", time), Anchor::middle);
    }
    page_.text({left + width + 20, top - 10}, "us", Anchor::start);
    for (int rank = 0; rank < line_.ranks; ++rank)
      page_.text({12, y(rank) + 13}, std::to_string(rank), Anchor::start);
  }

  void bars() {
    for (const TimeLine::Bar& b : line_.bars) {
      const Style& style = style_of(b.doing);
      page_.rectangle({x(b.from), y(b.rank) + style.offset}, {x(b.to) - x(b.from), style.height},
                      style.colour);
    }
  }

  void messages() {
    if (line_.ranks > most_ranks_with_messages) return;
    for (const TimeLine::Passage& m : line_.messages)
      page_.line({x(m.sent), y(m.from) + 4}, {x(m.arrived), y(m.to) + 12}, 0, "#303030", 0.8,
                 Head::arrow);
  }

 private:
  double x(double time) const { return left + width * time / end_; }
  static double y(int rank) { return top + row * rank + (row - bar) / 2; }

  const TimeLine& line_;
  SvgPage& page_;
  double end_;
};

void legend(SvgPage& page) {
  double x = left;
  for (const Style& style : styles) {
    page.rectangle({x, 30}, {10, 10}, style.colour);
    page.text({x + 14, 40}, style.name, Anchor::start);
    x += 125;
  }
}

}  // namespace

const char* to_text(Doing doing) {
  return style_of(doing).name;
}

std::string timeline_svg(const TimeLine& line, const std::string& title) {
  if (line.ranks > most_ranks_of_timeline)
    base::fail(base::Status::invalid_argument, "{} ranks are too many for a time line; at most {}",
               line.ranks, most_ranks_of_timeline);
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  legend(page);
  Sheet sheet(line, page);
  sheet.axis();
  sheet.bars();
  sheet.messages();
  return page.finish(title);
}

}  // namespace tutti::draw
