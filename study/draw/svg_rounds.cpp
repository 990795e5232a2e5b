// SPDX-License-Identifier: BSD-3-Clause
// Draws pictures of rounds as SVG: one panel below the other.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "draw/places.hpp"
#include "draw/steps.hpp"
#include "draw/svg.hpp"
#include "draw/svg_page.hpp"

namespace tutti::draw {
namespace {

using machine::Link;
using machine::Topology;
using traffic::Message;
using traffic::Messages;

constexpr double radius = 12, side = 3.5;

class Panels {
 public:
  Panels(const Topology& topology, SvgPage& page)
      : topology_(topology), page_(page), places_(places_of(topology)) {
    for (const Point place : places_) height_ = std::max(height_, place.y);
  }

  void step(const Messages& messages, const std::string& title) {
    page_.text({12, y_}, title, Anchor::start);
    const bool row = topology_.extents().size() < 2;
    origin_ = {24, y_ + 30 + (row ? room(messages, 1) : 0)};
    row ? arcs(messages) : links(messages);
    std::set<int> senders;
    for (const Message& message : messages) senders.insert(message.from);
    for (int node = 0; node < topology_.nodes(); ++node) {
      page_.circle(place(node), radius, senders.count(node) > 0 ? "#bcd4ee" : "white");
      page_.text(place(node) + Point{0, 4}, node_name(topology_, node), Anchor::middle);
    }
    y_ = origin_.y + height_ + 50 + (row ? room(messages, -1) : 0);
  }

 private:
  Point place(int node) const { return origin_ + places_[static_cast<std::size_t>(node)]; }

  // Draws an arrow between the rims of two nodes.
  void arrow(int from, int to, double bend, double aside, std::string_view colour, Head head) {
    const Point way = place(to) - place(from), unit = (1 / length(way)) * way,
                left{unit.y, -unit.x};
    page_.line(place(from) + radius * unit + aside * left, place(to) - radius * unit + aside * left,
               bend, colour, head == Head::none ? 1 : 1.6, head);
  }

  static double height_of(int distance) { return distance == 1 ? 0 : 7.0 * distance; }
  // Returns the room that the arcs of one direction need above or below the row.
  static double room(const Messages& messages, int direction) {
    double most = 0;
    for (const Message& m : messages)
      if ((m.to - m.from) * direction > 0)
        most = std::max(most, height_of(std::abs(m.to - m.from)));
    return most;
  }

  // Arcs are bent to the left: above the row for messages to higher ranks, below it for the others.
  void arcs(const Messages& messages) {
    for (const Message& m : messages)
      arrow(m.from, m.to, height_of(std::abs(m.to - m.from)), side, "black", Head::arrow);
  }

  double bend(int from, int to) const { return bend_between(place(from), place(to)); }

  void links(const Messages& messages) {
    std::map<Link, int> loads;
    for (const Message& message : messages)
      for (const Link link : message.route) ++loads[link];
    for (int node = 0; node < topology_.nodes(); ++node)
      for (int port = 0; port < topology_.ports(); ++port)
        if (topology_.has({node, port})) one_link({node, port}, loads);
  }

  void one_link(Link link, const std::map<Link, int>& loads) {
    const auto [from, to] = topology_.ends(link);
    const auto found = loads.find(link);
    if (found == loads.end()) {
      if (from < to) arrow(from, to, bend(from, to), 0, "#d0d0d0", Head::none);
      return;
    }
    const bool shared = found->second > 1;
    arrow(from, to, bend(from, to), side, shared ? "#d55e00" : "black", Head::arrow);
    if (!shared) return;
    const Point way = place(to) - place(from), left = (1 / length(way)) * Point{way.y, -way.x};
    page_.text(0.5 * (place(from) + place(to)) + (bend(from, to) + 12) * left + Point{0, 4},
               std::to_string(found->second), Anchor::middle, "#d55e00");
  }

  const Topology& topology_;
  SvgPage& page_;
  std::vector<Point> places_;
  Point origin_;
  double height_ = 0;
  double y_ = 48;
};

}  // namespace

std::string rounds_svg(const Messages& messages, const Topology& topology, const std::string& title,
                       Fit fit) {
  SvgPage page;
  page.text({12, 20}, title, Anchor::start);
  Panels panels(topology, page);
  for (const EqualSteps& steps : equal_steps(messages, topology))
    panels.step(steps.messages, heading(steps));
  return page.finish(title, fit);
}

}  // namespace tutti::draw
