// SPDX-License-Identifier: BSD-3-Clause
// Collects the numbers of rows by their curves.
#include "papers/common/row_charts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::papers {
namespace {

using draw::Curve;

// The numbers of one curve, in the order of the rows.
struct Pair {
  std::string name;
  Curve ours, paper;
  double least = 0, most = 0;  // ours over the paper's; 0 without such a row
};

void add_point(Curve& curve, double x, const Value& value) {
  const double* number = std::get_if<double>(&value);
  if (number != nullptr && *number > 0 && x > 0) curve.points.push_back({x, *number});
}

void add_ratio(Pair& pair, const Row& row) {
  const double *paper = std::get_if<double>(&row.paper), *ours = std::get_if<double>(&row.ours);
  if (paper == nullptr || ours == nullptr || *paper <= 0 || *ours <= 0) return;
  const double ratio = *ours / *paper;
  pair.least = pair.least == 0 ? ratio : std::min(pair.least, ratio);
  pair.most = std::max(pair.most, ratio);
}

std::vector<Pair> pairs_of(const Result& result, const std::string& unit) {
  std::vector<Pair> pairs;
  for (const Row& row : result.rows) {
    if (row.curve.empty() || row.unit != unit) continue;
    auto found = std::find_if(pairs.begin(), pairs.end(),
                              [&](const Pair& pair) { return pair.name == row.curve; });
    if (found == pairs.end()) found = pairs.insert(pairs.end(), Pair{row.curve, {}, {}});
    add_point(found->ours, row.at, row.ours);
    add_point(found->paper, row.at, row.paper);
    add_ratio(*found, row);
  }
  return pairs;
}

void add_curves(Chart& chart, Pair pair) {
  pair.ours.name = pair.least == 0 ? pair.name
                                   : fmt::format("{}, {:.2f} to {:.2f} of the paper's", pair.name,
                                                 pair.least, pair.most);
  pair.ours.kind = Curve::Kind::plain;
  const bool alone = pair.ours.points.empty();
  pair.paper.name = (alone ? pair.name + ", " : "") + "the paper's";
  pair.paper.kind = alone ? Curve::Kind::circles : Curve::Kind::crosses;
  if (!pair.ours.points.empty()) chart.curves.push_back(std::move(pair.ours));
  if (!pair.paper.points.empty()) chart.curves.push_back(std::move(pair.paper));
}

// A chart is readable with so many curves. More of them are split by what their names begin with,
// up to the first comma.
constexpr std::size_t most_curves = 10;

std::string panel_of(const Pair& pair, const std::vector<Pair>& all) {
  return all.size() > most_curves ? pair.name.substr(0, pair.name.find(',')) : "";
}

// The charts of one unit, without their files.
std::vector<Chart> charts_of(const std::vector<Pair>& pairs, const Item& item,
                             const draw::Axes& axes) {
  std::vector<Chart> charts;
  for (const Pair& pair : pairs) {
    const std::string panel = panel_of(pair, pairs);
    const std::string title = item.subject + (panel.empty() ? "" : ": ") + panel;
    if (charts.empty() || charts.back().title != title) charts.push_back({"", title, axes, {}});
    add_curves(charts.back(), pair);
  }
  std::erase_if(charts, [](const Chart& chart) { return chart.curves.empty(); });
  return charts;
}

}  // namespace

std::vector<Chart> charts_of_rows(const Item& item, const Result& result) {
  std::vector<std::string> units;
  for (const Row& row : result.rows)
    if (!row.curve.empty() && std::find(units.begin(), units.end(), row.unit) == units.end())
      units.push_back(row.unit);
  std::vector<Chart> charts;
  for (const std::string& unit : units) {
    const draw::Axes axes{draw::axis_of(result.x_axis, result.scale),
                          draw::axis_of(unit.empty() ? result.y_axis : unit, result.scale)};
    for (Chart& chart : charts_of(pairs_of(result, unit), item, axes))
      charts.push_back(std::move(chart));
  }
  for (std::size_t i = 0; i < charts.size(); ++i)
    charts[i].file = charts.size() == 1 ? item.name : fmt::format("{}-{}", item.name, i + 1);
  return charts;
}

}  // namespace tutti::papers
