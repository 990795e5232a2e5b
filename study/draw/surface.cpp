// SPDX-License-Identifier: BSD-3-Clause
// Draws the cells of a surface with the shapes of SvgPage.
#include "draw/surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"

namespace tutti::draw {
namespace {

constexpr double left = 90, top = 62, cell_width = 56, cell_height = 22;

// Returns a colour from white to red.
std::string colour_of(double part) {
  const auto fade = [part](double from, double to) {
    return static_cast<int>(std::lround(from + part * (to - from)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", fade(255, 214), fade(250, 39), fade(230, 40));
}

// Numbers from 1000 on are whole, so that none has an exponent.
std::string number(double value) {
  return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

double place(const std::set<double>& all, double one) {
  return static_cast<double>(std::distance(all.begin(), all.find(one)));
}

}  // namespace

std::string surface_svg(std::span<const Sample> samples, const Axes& axes,
                        const std::string& title) {
  if (samples.empty()) base::fail(base::Status::invalid_argument, "there is nothing to draw");
  Ruler values({"", Unit::number, Scale::logarithmic}, 1);
  std::set<double> columns, rows;
  for (const Sample& sample : samples) {
    values.include(sample.value);
    columns.insert(sample.x);
    rows.insert(sample.y);
  }
  const double bottom = top + cell_height * static_cast<double>(rows.size());
  SvgPage page;
  page.text({12, 22}, title, Anchor::start);
  for (const Sample& sample : samples) {
    const Point corner{left + cell_width * place(columns, sample.x),
                       bottom - cell_height * (place(rows, sample.y) + 1)};
    page.rectangle(corner, {cell_width - 1, cell_height - 1},
                   colour_of(values.low() < values.high() ? values.place(sample.value) : 0));
    // The cells are light on dark pages, too.
    page.text(corner + Point{cell_width / 2, 15}, number(sample.value), Anchor::middle, "#000000");
  }
  for (const double column : columns)
    page.text({left + cell_width * (place(columns, column) + 0.5), bottom + 15},
              label_of(column, axes.x.unit), Anchor::middle);
  for (const double row : rows)
    page.text({left - 34, bottom - cell_height * (place(rows, row) + 0.3)},
              label_of(row, axes.y.unit), Anchor::middle);
  page.text({left, bottom + 33}, axes.x.name, Anchor::start);
  page.text({12, top - 10}, axes.y.name, Anchor::start);
  return page.finish(title);
}

}  // namespace tutti::draw
