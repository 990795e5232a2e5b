// SPDX-License-Identifier: BSD-3-Clause
// Draws links as coloured arrows between the places of nodes.
#include "draw/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "draw/places.hpp"

namespace tutti::draw {
namespace {

using machine::Link;
using machine::Topology;

constexpr double radius = 10, side = 4;
constexpr int shades = 6;
constexpr const char* grey = "#d0d0d0";

// Returns a colour from yellow to dark red, which is darker for more also in grey. It is rounded,
// because compilers differ in the last bit of the product.
std::string colour_of(double fraction) {
  const auto mix = [&](double low, double high) {
    return std::lround(low + (high - low) * fraction);
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(250, 150), mix(205, 0), mix(90, 20));
}

class Picture {
 public:
  Picture(const Topology& topology, SvgPage& page, Point origin)
      : topology_(topology), page_(page), places_(places_of(topology)) {
    for (Point& place : places_) place = place + origin;
  }

  // A link without traffic is a thin line, one for both directions.
  void unused(Link link) {
    const auto [from, to] = topology_.ends(link);
    if (from < to)
      page_.line(place(from), place(to), bend_between(place(from), place(to)), grey, 1, Head::none);
  }

  void used(Link link, std::string_view colour) {
    const auto [from, to] = topology_.ends(link);
    busy_.insert({from, to});
    const Point start = place(from), end = place(to), way = end - start;
    const Point unit = (1 / length(way)) * way, left{unit.y, -unit.x};
    page_.line(start + radius * unit + side * left, end - radius * unit + side * left,
               bend_between(start, end), colour, 3, Head::arrow);
  }

  // Nodes without traffic are small and have no number.
  void nodes() {
    for (int node = 0; node < topology_.nodes(); ++node) {
      const bool busy = busy_.count(node) > 0;
      page_.circle(place(node), busy ? radius : 3, "white", busy ? "black" : grey);
      if (!busy) continue;
      page_.text(place(node) + Point{0, 4}, std::to_string(node), Anchor::middle);
    }
  }

 private:
  Point place(int node) const { return places_[static_cast<std::size_t>(node)]; }

  const Topology& topology_;
  SvgPage& page_;
  std::vector<Point> places_;
  std::set<int> busy_;  // nodes at the ends of used links
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

// Large numbers are whole, so that none has an exponent.
std::string number(double value) {
  return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

void scale(SvgPage& page, double most, const std::string& unit) {
  constexpr double x = 24, wide = 40;
  for (int i = 0; i < shades; ++i)
    page.rectangle({x + wide * i, 32}, {wide, 10},
                   colour_of(static_cast<double>(i) / (shades - 1)));
  for (const double part : {0.0, 0.5, 1.0}) {
    const double tick = x + part * shades * wide;
    page.line({tick, 42}, {tick, 46}, 0, "black", 1, Head::none);
    page.text({tick, 58}, number(part * most), Anchor::middle);
  }
  page.text({x + wide * shades + 30, 42}, unit, Anchor::start);
  page.text({x + wide * shades + 30, 58}, "grey: not used", Anchor::start);
}

}  // namespace

std::string heat_svg(const Heat& heat, const Topology& topology, const std::string& title) {
  check(topology);
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  const double most =
      heat.of_link.empty() ? 0 : *std::max_element(heat.of_link.begin(), heat.of_link.end());
  scale(page, most, heat.unit);
  Picture picture(topology, page, {30, 100});
  for (int index = 0; index < topology.links(); ++index) {
    const Link link = topology.link_at(index);
    if (!topology.has(link)) continue;
    const double value = heat.of_link[static_cast<std::size_t>(index)];
    value > 0 ? picture.used(link, colour_of(value / most)) : picture.unused(link);
  }
  picture.nodes();
  return page.finish(title);
}

}  // namespace tutti::draw
