// SPDX-License-Identifier: BSD-3-Clause
// Curves and surfaces out of the shapes of SvgPage.
#include "draw/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/error.hpp"

namespace tutti::draw {
namespace {

constexpr double width = 420, height = 280, left = 70, top = 40;
constexpr std::array colours = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                "#66ccee", "#aa3377", "#888888"};

// From the least to the most of some positive numbers, in whole powers of ten.
struct LogScale {
  double low = 1e300, high = 0;

  void include(double value) {
    if (!(value > 0))
      base::fail(base::Status::invalid_argument, "{} cannot stand on a logarithmic axis", value);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Where it would be between 0 and 1.
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
  page.text({4, top - 10}, axes.y, Anchor::start);
}

void draw_curve(SvgPage& page, const Curve& curve, std::span<const Point> places,
                const char* colour) {
  const bool computed = curve.kind == Curve::Kind::computed;
  for (std::size_t i = 1; i < places.size(); ++i) {
    page.line(places[i - 1], places[i], 0, colour, computed ? 1 : 2, Head::none);
  }
  for (const Point& place : places) {
    if (!computed) page.circle(place, 2.5, colour);
  }
}

// From white to red.
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
  page.text({left, 18}, title, Anchor::start);
  draw_axes(page, x, y, axes);
  double legend = top + 10;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<Point> places;
    for (const Point& point : curves[i].points) {
      places.push_back({left + x.place(point.x) * width, top + (1 - y.place(point.y)) * height});
    }
    const char* const colour = colours[i % colours.size()];
    draw_curve(page, curves[i], places, colour);
    page.line({left + width + 14, legend - 4}, {left + width + 34, legend - 4}, 0, colour, 3,
              Head::none);
    page.text({left + width + 40, legend}, curves[i].name, Anchor::start);
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
  page.text({left, 18}, title, Anchor::start);
  for (const Sample& sample : samples) {
    const Point corner{left + cell_width * place(columns, sample.x),
                       bottom - cell_height * (place(rows, sample.y) + 1)};
    page.rectangle(corner, {cell_width - 1, cell_height - 1},
                   colour_of(std::log(sample.value / values.low) / spread));
    page.text(corner + Point{cell_width / 2, 15}, fmt::format("{:.3g}", sample.value),
              Anchor::middle);
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
  page.text({4, top - 6}, axes.y, Anchor::start);
  return page.finish(title);
}

}  // namespace tutti::draw
