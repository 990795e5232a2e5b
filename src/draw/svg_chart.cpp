// SPDX-License-Identifier: BSD-3-Clause
// Charts as tables of cells.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "draw/svg.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {
namespace {

using machine::Topology;

constexpr double row_height = 16, character = 7.3, between_groups = 6, between_halves = 30,
                 top = 56;

class ChartPage {
 public:
  ChartPage(const Chart& chart, const Topology& topology, SvgPage& page)
      : chart_(chart),
        topology_(topology),
        page_(page),
        cell_(std::max(14.0, character * static_cast<double>(cell_text(chart, 0).size()) + 4)),
        label_(character * static_cast<double>(2 * topology.label(0).size() + 3)) {
    const double name = character * static_cast<double>(topology.label(0).size());
    group_ = std::max(cell_ * topology.ports(), name) + between_groups;
    for (const auto& half : chart.halves)
      for (const Chart::Group& group : half)
        for (const Chart::Row& row : group.rows)
          for (const int link : row.links) ++uses_[{row.step, link}];
  }

  void draw() {
    double left = 12;
    for (const auto& half : chart_.halves) {
      const Chart::Group& any = half.front();
      header(left + label_, any);
      double y = top;
      for (const Chart::Group& group : half) {
        if (!chart_.exchanges) y += 6;
        for (const Chart::Row& row : group.rows)
          draw_row(left, std::exchange(y, y + row_height), group, row);
      }
      left += label_ + group_ * (any.last_node - any.first_node + 1) + between_halves;
    }
  }

 private:
  void header(double left, const Chart::Group& group) {
    for (int node = group.first_node; node <= group.last_node; ++node)
      page_.text({left + group_ * (node - group.first_node), top - 8}, topology_.label(node),
                 Anchor::start);
  }

  void draw_row(double left, double y, const Chart::Group& group, const Chart::Row& row) {
    page_.text({left, y + 12}, row.label, Anchor::start);
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
    page_.rectangle(corner + Point{0.5, 0.5}, {cell_ - 1, row_height - 1},
                    meets ? "#e03030" : (used ? "#bcd4ee" : "#f2f2f2"));
    if (used)
      page_.text(corner + Point{cell_ / 2, 12}, cell_text(chart_, row.step), Anchor::middle);
  }

  const Chart& chart_;
  const Topology& topology_;
  SvgPage& page_;
  double cell_;
  double label_;
  double group_ = 0;
  std::map<std::pair<int, int>, int> uses_;
};

}  // namespace

std::string chart_svg(const Chart& chart, const Topology& topology, const std::string& title) {
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  ChartPage(chart, topology, page).draw();
  return page.finish(title);
}

}  // namespace tutti::draw
