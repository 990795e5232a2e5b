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
  [[nodiscard]] std::vector<double> powers() const {
    std::vector<double> all;
    for (double power = std::floor(std::log10(low));
         power <= std::max(std::ceil(std::log10(high)), std::floor(std::log10(low)) + 1); ++power) {
      all.push_back(std::pow(10, power));
    }
    return all;
  }
};

void draw_axes(SvgPage& page, const LogScale& x, const LogScale& y, const Axes& axes) {
  for (const double power : x.powers()) {
    const double at = left + x.place(power) * width;
    page.line({at, top}, {at, top + height}, 0, "#dddddd", 1, Head::none);
    page.text({at, top + height + 16}, fmt::format("{:g}", power), Anchor::middle);
  }
  for (const double power : y.powers()) {
    const double at = top + (1 - y.place(power)) * height;
    page.line({left, at}, {left + width, at}, 0, "#dddddd", 1, Head::none);
    page.text({left - 34, at + 4}, fmt::format("{:g}", power), Anchor::middle);
  }
  page.text({left + width / 2, top + height + 34}, axes.x, Anchor::middle);
  page.text({12, top - 12}, axes.y, Anchor::start);
}

// Numbers from 1000 on are whole, so that none has an exponent.
std::string number(double value) {
  return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

// How a curve looks. A computed curve looks as the measured one before it, but is dashed.
struct Look {
  const char* colour = colours[0];
  Mark mark = Mark::circle;
  bool computed = false;
};

std::vector<Look> looks_of(std::span<const Curve> curves) {
  std::vector<Look> looks;
  int measured = 0;
  for (const Curve& curve : curves) {
    const bool computed = curve.kind == Curve::Kind::computed;
    const int look = computed ? std::max(measured - 1, 0) : measured++;
    looks.push_back({colours[static_cast<std::size_t>(look) % colours.size()],
                     static_cast<Mark>(look % marks), computed});
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

void draw_curve(SvgPage& page, std::span<const Point> places, const Look& look) {
  std::string way;
  for (const Point& place : places)
    way += fmt::format("{}{:.1f} {:.1f}", way.empty() ? "M" : "L", place.x, place.y);
  page.add(fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", way,
                       look.colour, look.computed ? 1.2 : 2,
                       look.computed ? " stroke-dasharray=\"5 3\"" : ""));
  for (const Point& place : places)
    if (!look.computed) draw_mark(page, place, look);
}

// Returns a colour from white to red.
std::string colour_of(double part) {
  const auto fade = [part](double from, double to) {
    return static_cast<int>(std::lround(from + part * (to - from)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", fade(255, 214), fade(250, 39), fade(230, 40));
}

}  // namespace

std::string curves_svg(std::span<const Curve> curves, const Axes& axes, const std::string& title) {
  LogScale x, y;
  for (const Curve& curve : curves) {
    for (const Point& point : curve.points) {
      x.include(point.x);
      y.include(point.y);
    }
  }
  if (x.high <= 0) base::fail(base::Status::invalid_argument, "there is nothing to draw");
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
