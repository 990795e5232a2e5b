// SPDX-License-Identifier: BSD-3-Clause
// Draws charts as tables of cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "draw/svg.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {
namespace {

using machine::Topology;

constexpr double usual_row = 16, character = 7.3, between_groups = 6, between_halves = 30, top = 56,
                 bottom = 12;
constexpr double least_row = 3;  // rows below the usual height have no numbers

class ChartPage {
 public:
  ChartPage(const Chart& chart, const Topology& topology, SvgPage& page, Fit fit)
      : chart_(chart),
        topology_(topology),
        page_(page),
        row_(fit == Fit::full ? usual_row : row_that_fits(chart)),
        cell_(std::max(14.0, character * static_cast<double>(cell_text(chart, 0).size()) + 4)),
        label_(character * static_cast<double>(2 * topology.label(0).size() + 3)) {
    if (low()) cell_ = std::clamp(cell_that_fits(), least_row, cell_);
    const double name = character * static_cast<double>(topology.label(0).size());
    group_ = std::max(cell_ * topology.ports(), name) + between_groups;
    for (const auto& half : chart.halves)
      for (const Chart::Group& group : half)
        for (const Chart::Row& row : group.rows)
          for (const int link : row.links) ++uses_[{row.step, link}];
  }

  void draw() {
    double left = 12;
    if (low()) page_.text({12, 34}, legend(), Anchor::start);
    for (const auto& half : chart_.halves) {
      const Chart::Group& any = half.front();
      header(left + label_, any);
      double y = top;
      for (const Chart::Group& group : half) {
        if (!chart_.exchanges) y += between_groups;
        if (low() && !group.rows.empty())
          page_.text({left, y + 10}, source(group.rows.front()), Anchor::start);
        for (const Chart::Row& row : group.rows)
          draw_row(left, std::exchange(y, y + row_), group, row);
      }
      left += label_ + group_ * (any.last_node - any.first_node + 1) + between_halves;
    }
  }

 private:
  // The height of rows with which the chart is no higher than a screen.
  static double row_that_fits(const Chart& chart) {
    double height = usual_row;
    for (const auto& half : chart.halves) {
      std::size_t rows = 1;
      for (const Chart::Group& group : half) rows += group.rows.size();
      const double gaps = between_groups * static_cast<double>(half.size());
      height = std::min(height,
                        std::floor((screen.y - top - bottom - gaps) / static_cast<double>(rows)));
    }
    return std::max(least_row, height);
  }
  // The width of cells with which the chart is no wider than a screen.
  double cell_that_fits() const {
    const double halves = static_cast<double>(chart_.halves.size());
    const double room = screen.x - 2 * bottom - halves * (label_ + between_halves);
    return std::floor((room / topology_.nodes() - between_groups) / topology_.ports());
  }
  bool low() const { return row_ < usual_row; }

  // Low cells have no text. Most of them are empty on a large network, where a message takes few of
  // all links, so the reader hears of the picture that adds them up.
  std::string legend() const {
    if (chart_.marks == Marks::usage) {
      return "Dark cells of a row are the links that its message takes. --as rounds counts the "
             "messages on each link.";
    }
    return fmt::format(
        "The lightest cells are step 1, the darkest step {}; in orange cells messages meet.",
        chart_.steps);
  }

  std::string source(const Chart::Row& row) const {
    const std::string rank = row.label.substr(0, row.label.find('-'));
    return chart_.exchanges ? rank + "--" : "from " + rank;
  }

  void header(double left, const Chart::Group& group) {
    for (int node = group.first_node; node <= group.last_node; ++node)
      page_.text({left + group_ * (node - group.first_node), top - 8}, topology_.label(node),
                 Anchor::start);
  }

  void draw_row(double left, double y, const Chart::Group& group, const Chart::Row& row) {
    if (!low()) page_.text({left, y + 12}, row.label, Anchor::start);
    for (int node = group.first_node; node <= group.last_node; ++node) {
      for (int port = 0; port < topology_.ports(); ++port) {
        const Point corner{left + label_ + group_ * (node - group.first_node) + cell_ * port, y};
        const machine::Link link{node, port};
        if (topology_.has(link)) draw_cell(corner, topology_.index(link), row);
      }
    }
  }

  void draw_cell(Point corner, int link, const Chart::Row& row) {
    const bool used = std::find(row.links.begin(), row.links.end(), link) != row.links.end();
    const bool meets = used && chart_.marks == Marks::schedule && uses_.at({row.step, link}) > 1;
    const double edge = low() ? 0.5 : 1;
    page_.rectangle(corner + Point{0.5, 0.5}, {cell_ - edge, row_ - edge},
                    meets ? "#d55e00" : (used ? colour(row.step) : "#f2f2f2"));
    if (used && !low())
      page_.text(corner + Point{cell_ / 2, 12}, cell_text(chart_, row.step), Anchor::middle);
  }

  // Steps are numbers or, in low rows, shades.
  std::string colour(int step) const {
    if (!low()) return "#bcd4ee";
    const double part =
        chart_.marks == Marks::usage || chart_.steps < 2 ? 1 : (step - 1.0) / (chart_.steps - 1);
    const auto mix = [&](int light, int dark) {
      return static_cast<int>(light + part * (dark - light));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0xcf, 0), mix(0xe8, 0x3a), mix(0xf7, 0x6b));
  }

  const Chart& chart_;
  const Topology& topology_;
  SvgPage& page_;
  double row_;
  double cell_;
  double label_;
  double group_ = 0;
  std::map<std::pair<int, int>, int> uses_;
};

}  // namespace

std::string chart_svg(const Chart& chart, const Topology& topology, const std::string& title,
                      Fit fit) {
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  ChartPage(chart, topology, page, fit).draw();
  return page.finish(title, fit);
}

}  // namespace tutti::draw
