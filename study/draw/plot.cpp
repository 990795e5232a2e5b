// SPDX-License-Identifier: BSD-3-Clause
// Draws curves and surfaces with the shapes of SvgPage.
#include "draw/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/error.hpp"

namespace tutti::draw {
namespace {

constexpr double width = 640, height = 400, left = 70, top = 60;
// The colours of Okabe and Ito, which colour-blind readers tell apart. Marks differ in shape too.
constexpr std::array colours = {"#0072b2", "#e69f00", "#009e73", "#d55e00",
                                "#cc79a7", "#56b4e9", "#000000"};
enum class Mark { circle, square, triangle, diamond };
constexpr int marks = 4;

// A logarithmic axis over some positive numbers, from a power of ten to a power of ten.
struct LogScale {
  double low = 1e300, high = 0;

  void include(double value) {
    if (!(value > 0))
      base::fail(base::Status::invalid_argument, "{} cannot stand on a logarithmic axis", value);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Returns the place of a value on the axis, which runs from 0 to 1.
  [[nodiscard]] double place(double value) const {
    const double first = std::floor(std::log10(low)),
                 last = std::max(std::ceil(std::log10(high)), first + 1);
    return (std::log10(value) - first) / (last - first);
  }
  // Returns the numbers that stand at the axis.
  [[nodiscard]] std::vector<double> numbers() const {
    std::vector<double> all;
    for (double power = std::floor(std::log10(low));
         power <= std::max(std::ceil(std::log10(high)), std::floor(std::log10(low)) + 1); ++power) {
      all.push_back(std::pow(10, power));
    }
    return all;
  }
};

// A linear axis from 0 on. Four to ten steps of 1, 2 or 5 times a power of ten reach the largest
// number.
struct LinearScale {
  double high = 0;

  void include(double value) {
    if (!(value >= 0))
      base::fail(base::Status::invalid_argument, "{} cannot stand on an axis from 0 on", value);
    high = std::max(high, value);
  }
  [[nodiscard]] double step() const {
    const double power = std::pow(10, std::floor(std::log10(high > 0 ? high : 1)));
    const double first = high / power;
    return first > 5 ? power : first > 2 ? power / 2 : power / 5;
  }
  [[nodiscard]] double last() const {
    return std::max(std::ceil(high / step() - 1e-9), 1.0) * step();
  }
  [[nodiscard]] double place(double value) const { return value / last(); }
  [[nodiscard]] std::vector<double> numbers() const {
    std::vector<double> all;
    for (int i = 0; i * step() < last() * 1.001; ++i) all.push_back(i * step());
    return all;
  }
};

template <class XScale, class YScale>
void draw_axes(SvgPage& page, const XScale& x, const YScale& y, const Axes& axes) {
  for (const double number : x.numbers()) {
    const double at = left + x.place(number) * width;
    page.line({at, top}, {at, top + height}, 0, "#dddddd", 1, Head::none);
    page.text({at, top + height + 16}, fmt::format("{:g}", number), Anchor::middle);
  }
  for (const double number : y.numbers()) {
    const double at = top + (1 - y.place(number)) * height;
    page.line({left, at}, {left + width, at}, 0, "#dddddd", 1, Head::none);
    page.text({left - 34, at + 4}, fmt::format("{:g}", number), Anchor::middle);
  }
  page.text({left + width / 2, top + height + 34}, axes.x, Anchor::middle);
  page.text({12, top - 12}, axes.y, Anchor::start);
}

// Numbers from 1000 on are whole, so that none has an exponent.
std::string number(double value) {
  return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

// How a curve looks.
struct Look {
  const char* colour = colours[0];
  Mark mark = Mark::circle;
  Curve::Kind kind = Curve::Kind::measured;
  // Its colour is also that of an earlier curve.
  bool repeats = false;
};

std::vector<Look> looks_of(std::span<const Curve> curves) {
  using Kind = Curve::Kind;
  std::vector<Look> looks;
  int measured = 0;
  for (const Curve& curve : curves) {
    const bool follows =
        curve.kind == Kind::computed || curve.kind == Kind::fit || curve.kind == Kind::crosses;
    const int look = follows ? std::max(measured - 1, 0) : measured++;
    looks.push_back({colours[static_cast<std::size_t>(look) % colours.size()],
                     static_cast<Mark>(look % marks), curve.kind,
                     static_cast<std::size_t>(look) >= colours.size()});
  }
  return looks;
}

void draw_mark(SvgPage& page, Point at, const Look& look) {
  const auto corners = [&](std::string_view shape) {
    page.add(fmt::format("<path d=\"M{:.1f} {:.1f}{}z\" fill=\"{}\" stroke=\"black\"/>\n", at.x,
                         at.y, shape, look.colour),
             at + Point{4, 4});
  };
  switch (look.mark) {
    case Mark::circle:
      return page.circle(at, 3, look.colour);
    case Mark::square:
      return corners("m-3 -3h6v6h-6");
    case Mark::triangle:
      return corners("m0 -4l4 7h-8");
    case Mark::diamond:
      return corners("m0 -4l4 4l-4 4l-4 -4");
  }
}

// Draws points without a line, as one shape.
void draw_points(SvgPage& page, std::span<const Point> places, const Look& look) {
  std::string shape;
  const bool crosses = look.kind == Curve::Kind::crosses;
  for (const Point& place : places) {
    shape += fmt::format("M{:.1f} {:.1f}{}", place.x, place.y,
                         crosses ? "m-4 0h8m-4 -4v8" : "m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0");
    page.add("", place + Point{4, 4});
  }
  page.add(fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\"/>\n", shape, look.colour));
}

void draw_curve(SvgPage& page, std::span<const Point> places, const Look& look) {
  using Kind = Curve::Kind;
  if (places.empty()) return;
  if (look.kind == Kind::circles || look.kind == Kind::crosses)
    return draw_points(page, places, look);
  std::string way;
  for (const Point& place : places)
    way += fmt::format("{}{:.1f} {:.1f}", way.empty() ? "M" : "L", place.x, place.y);
  const bool thin = look.kind == Kind::computed || look.kind == Kind::fit;
  page.add(fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", way,
                       look.colour, thin ? 1.2 : 2,
                       look.kind == Kind::computed ? " stroke-dasharray=\"5 3\""
                       : look.repeats              ? " stroke-dasharray=\"9 2 2 2\""
                                                   : ""));
  for (const Point& place : places)
    if (look.kind == Kind::measured) draw_mark(page, place, look);
}

// Returns a colour from white to red.
std::string colour_of(double part) {
  const auto fade = [part](double from, double to) {
    return static_cast<int>(std::lround(from + part * (to - from)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", fade(255, 214), fade(250, 39), fade(230, 40));
}

// Draws the curves and, to the right of the axes, a key with their names.
template <class XScale, class YScale>
std::string curves_on(std::span<const Curve> curves, const Axes& axes, const std::string& title) {
  XScale x;
  YScale y;
  bool empty = true;
  for (const Curve& curve : curves) {
    for (const Point& point : curve.points) {
      x.include(point.x);
      y.include(point.y);
      empty = false;
    }
  }
  if (empty) base::fail(base::Status::invalid_argument, "there is nothing to draw");
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  draw_axes(page, x, y, axes);
  const std::vector<Look> looks = looks_of(curves);
  double legend = top + 10;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<Point> places;
    for (const Point& point : curves[i].points) {
      places.push_back({left + x.place(point.x) * width, top + (1 - y.place(point.y)) * height});
    }
    draw_curve(page, places, looks[i]);
    const Point key{left + width + 14, legend - 4};
    draw_curve(page, std::array{key, key + Point{12, 0}, key + Point{24, 0}}, looks[i]);
    page.text({left + width + 48, legend}, curves[i].name, Anchor::start);
    legend += 17;
  }
  return page.finish(title);
}

}  // namespace

std::string curves_svg(std::span<const Curve> curves, const Axes& axes, const std::string& title) {
  switch (axes.scale) {
    case Scale::linear:
      return curves_on<LinearScale, LinearScale>(curves, axes, title);
    case Scale::semilogarithmic:
      return curves_on<LinearScale, LogScale>(curves, axes, title);
    case Scale::logarithmic:
      break;
  }
  return curves_on<LogScale, LogScale>(curves, axes, title);
}

std::string surface_svg(std::span<const Sample> samples, const Axes& axes,
                        const std::string& title) {
  constexpr double cell_width = 52, cell_height = 22;
  LogScale values;
  std::set<double> columns, rows;
  for (const Sample& sample : samples) {
    values.include(sample.value);
    columns.insert(sample.x);
    rows.insert(sample.y);
  }
  if (samples.empty()) base::fail(base::Status::invalid_argument, "there is nothing to draw");
  const auto place = [](const std::set<double>& all, double one) {
    return static_cast<double>(std::distance(all.begin(), all.find(one)));
  };
  const double bottom = top + cell_height * static_cast<double>(rows.size());
  const double spread = std::max(std::log(values.high / values.low), 1e-9);
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  for (const Sample& sample : samples) {
    const Point corner{left + cell_width * place(columns, sample.x),
                       bottom - cell_height * (place(rows, sample.y) + 1)};
    page.rectangle(corner, {cell_width - 1, cell_height - 1},
                   colour_of(std::log(sample.value / values.low) / spread));
    page.text(corner + Point{cell_width / 2, 15}, number(sample.value), Anchor::middle);
  }
  for (const double column : columns) {
    page.text({left + cell_width * (place(columns, column) + 0.5), bottom + 15},
              fmt::format("{:g}", column), Anchor::middle);
  }
  for (const double row : rows) {
    page.text({left - 24, bottom - cell_height * (place(rows, row) + 0.3)},
              fmt::format("{:g}", row), Anchor::middle);
  }
  page.text({left, bottom + 33}, axes.x, Anchor::start);
  page.text({12, top - 8}, axes.y, Anchor::start);
  return page.finish(title);
}

}  // namespace tutti::draw
