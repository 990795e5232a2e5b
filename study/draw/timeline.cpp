// SPDX-License-Identifier: BSD-3-Clause
// Draws a time line. The colours are those of Okabe and Ito; sends are in the upper half of a row
// and receives in the lower half, so the picture can be read without colours.
#include "draw/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "draw/axis.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {
namespace {

constexpr double left = 60, top = 88, width = 1200;
constexpr double bar = 16;  // height of a bar where rows are 20 high; more ranks have lower rows

struct Style {
  Doing doing;
  const char* name;
  const char* colour;
  double offset, height;  // within the bar of a row
};
constexpr std::array<Style, 10> styles{{{Doing::start, "start", "#a6cee8", 0, 7},
                                        {Doing::blocked, "blocked", "#d55e00", 0, 7},
                                        {Doing::send, "send", "#0072b2", 0, 7},
                                        {Doing::receive, "receive", "#009e73", 9, 7},
                                        {Doing::combine, "combine", "#e69f00", 0, bar},
                                        {Doing::copy, "copy", "#f0e442", 0, bar},
                                        {Doing::compute, "compute", "#cc79a7", 0, bar},
                                        {Doing::synchronise, "synchronise", "#909090", 0, bar},
                                        {Doing::wait, "wait", "#e4e4e4", 6, 4},
                                        {Doing::collective, "collective", "#0072b2", 0, bar}}};

const Style& style_of(Doing doing) {
  return *std::find_if(styles.begin(), styles.end(),
                       [&](const Style& style) { return style.doing == doing; });
}

// Returns the largest of 1, 2, 5, 10, ... that leaves at least six ticks.
double tick_of(double end) {
  const double unit = std::pow(10, std::floor(std::log10(end / 6)));
  for (const double factor : {5.0, 2.0})
    if (factor * unit <= end / 6) return factor * unit;
  return unit;
}

class Sheet {
 public:
  Sheet(const TimeLine& line, SvgPage& page)
      : line_(line),
        page_(page),
        end_(line.end > 0 ? line.end : 1),
        row_(std::clamp(std::floor((screen.y - top - 30) / std::max(1, line.ranks)), 2.0, 20.0)) {}

  void axis() {
    const double bottom = top + row_ * line_.ranks, tick = tick_of(end_);
    for (double time = 0; time <= end_; time += tick) {
      page_.line({x(time), top - 6}, {x(time), bottom}, 0, "#d0d0d0", 0.6, Head::none);
      page_.text({x(time), top - 10}, label_of(time, Unit::microseconds), Anchor::middle);
    }
    page_.text({left + width / 2, top - 28},
               fmt::format("time, {} in all", label_of(line_.end, Unit::microseconds)),
               Anchor::middle);
    page_.line({x(end_), top - 6}, {x(end_), bottom}, 0, "#555555", 1, Head::none);
    page_.text({12, top - 10}, "rank", Anchor::start);
    const int step = row_ < 14 ? static_cast<int>(std::ceil(14 / row_)) : 1;
    for (int rank = 0; rank < line_.ranks; rank += step)
      page_.text({12, y(rank) + 0.4 * row_ + 5}, name_of(rank), Anchor::start);
  }

  void bars() {
    for (const TimeLine::Bar& b : line_.bars) {
      const Style& style = style_of(b.doing);
      page_.rectangle({x(b.from), y(b.rank) + scale() * style.offset},
                      {x(b.to) - x(b.from), scale() * style.height}, style.colour);
    }
  }

  void messages() {
    if (line_.ranks > most_ranks_with_messages) return;
    for (const TimeLine::Passage& m : line_.messages)
      page_.line({x(m.sent), y(m.from) + 4}, {x(m.arrived), y(m.to) + 12}, 0, "#000000", 0.8,
                 Head::arrow);
  }

 private:
  std::string name_of(int rank) const {
    return line_.names.empty() ? std::to_string(rank) : line_.names[static_cast<std::size_t>(rank)];
  }
  double x(double time) const { return left + width * time / end_; }
  double y(int rank) const { return top + row_ * rank + 0.1 * row_; }
  double scale() const { return 0.8 * row_ / bar; }

  const TimeLine& line_;
  SvgPage& page_;
  double end_;
  double row_;  // height of a row
};

// Names the colours that the bars have.
void legend(SvgPage& page, const TimeLine& line) {
  constexpr double character = 7.3;
  double x = left;
  for (const Style& style : styles) {
    if (std::none_of(line.bars.begin(), line.bars.end(),
                     [&](const TimeLine::Bar& one) { return one.doing == style.doing; }))
      continue;
    page.rectangle({x, 30}, {10, 10}, style.colour);
    page.text({x + 16, 40}, style.name, Anchor::start);
    x += 16 + character * static_cast<double>(std::string_view(style.name).size()) + 24;
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
  legend(page, line);
  Sheet sheet(line, page);
  sheet.axis();
  sheet.bars();
  sheet.messages();
  return page.finish(title);
}

}  // namespace tutti::draw
