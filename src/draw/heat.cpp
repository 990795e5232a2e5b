// SPDX-License-Identifier: BSD-3-Clause
// Links as coloured arrows between the places of nodes.
#include "draw/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "draw/places.hpp"

namespace tutti::draw {
namespace {

using machine::Link;
using machine::Topology;

constexpr double radius = 10, side = 4;
constexpr int shades = 6;

// From yellow to dark red.
std::string colour_of(double fraction) {
  const auto mix = [&](double low, double high) {
    return static_cast<int>(low + (high - low) * fraction);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(250, 150), mix(205, 0), mix(90, 20));
}

class Picture {
 public:
  Picture(const Topology& topology, SvgPage& page, Point origin)
      : topology_(topology), page_(page), places_(places_of(topology)) {
    for (Point& place : places_) place = place + origin;
  }

  void link(Link link, std::string_view colour, double width) {
    const auto [from, to] = topology_.ends(link);
    const Point start = place(from), end = place(to), way = end - start;
    const Point unit = (1 / length(way)) * way, left{unit.y, -unit.x};
    page_.line(start + radius * unit + side * left, end - radius * unit + side * left,
               bend_between(start, end), colour, width, Head::arrow);
  }

  void nodes() {
    for (int node = 0; node < topology_.nodes(); ++node) {
      page_.circle(place(node), radius, "white");
      page_.text(place(node) + Point{0, 4}, std::to_string(node), Anchor::middle);
    }
  }

 private:
  Point place(int node) const { return places_[static_cast<std::size_t>(node)]; }

  const Topology& topology_;
  SvgPage& page_;
  std::vector<Point> places_;
};

void check(const Topology& topology) {
  if (topology.nodes() > most_nodes_of_heat)
    base::fail(base::Status::invalid_argument,
               "{} has {} nodes; the links of at most {} can be drawn", topology.name(),
               topology.nodes(), most_nodes_of_heat);
  if (topology.vertices() > topology.nodes())
    base::fail(base::Status::invalid_argument,
               "the links of {} lead to switches and cannot be drawn", topology.name());
}

void scale(SvgPage& page, double most, const std::string& unit) {
  for (int i = 0; i < shades; ++i)
    page.rectangle({12 + 30.0 * i, 32}, {30, 10}, colour_of(static_cast<double>(i) / (shades - 1)));
  page.text({12 + 30.0 * shades + 8, 42}, fmt::format("0 to {:.4g} {}; grey: not used", most, unit),
            Anchor::start);
}

}  // namespace

std::string heat_svg(const Heat& heat, const Topology& topology, const std::string& title) {
  check(topology);
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  const double most =
      heat.of_link.empty() ? 0 : *std::max_element(heat.of_link.begin(), heat.of_link.end());
  scale(page, most, heat.unit);
  Picture picture(topology, page, {30, 80});
  for (int index = 0; index < topology.links(); ++index) {
    const Link link = topology.link_at(index);
    if (!topology.has(link)) continue;
    const double value = heat.of_link[static_cast<std::size_t>(index)];
    value > 0 ? picture.link(link, colour_of(value / most), 3) : picture.link(link, "#d0d0d0", 1);
  }
  picture.nodes();
  return page.finish(title);
}

}  // namespace tutti::draw
