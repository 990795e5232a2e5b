// SPDX-License-Identifier: BSD-3-Clause
// Writes shapes as XML.
#include "draw/svg_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tutti::draw {
namespace {

constexpr double margin = 12;

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

double length(Point a) {
  return std::hypot(a.x, a.y);
}

void SvgPage::reach(Point at) {
  size_ = {std::max(size_.x, at.x + margin), std::max(size_.y, at.y + margin)};
}

void SvgPage::text(Point at, std::string_view text, Anchor anchor, std::string_view colour) {
  reach(at + Point{anchor == Anchor::start ? 7.3 * static_cast<double>(text.size()) : 0, 0});
  shapes_ +=
      fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n",
                  at.x, at.y, anchor == Anchor::start ? "start" : "middle", colour, escaped(text));
}

void SvgPage::circle(Point at, double radius, std::string_view fill, std::string_view stroke) {
  reach(at + Point{radius, radius});
  shapes_ +=
      fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\" stroke=\"{}\"/>\n",
                  at.x, at.y, radius, fill, stroke);
}

void SvgPage::rectangle(Point corner, Point size, std::string_view fill) {
  reach(corner + size);
  shapes_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
      corner.x, corner.y, size.x, size.y, fill);
}

void SvgPage::line(Point from, Point to, double bend, std::string_view colour, double width,
                   Head head) {
  const Point way = to - from;
  const Point left = (1 / std::max(1e-9, length(way))) * Point{way.y, -way.x};
  const Point control = 0.5 * (from + to) + 2 * bend * left;
  reach(from);
  reach(to);
  reach(0.5 * (from + to) + bend * left);
  // A marker does not take the colour of its line, so there is one for each colour.
  const std::string name(colour.substr(colour.starts_with('#') ? 1 : 0));
  if (head == Head::arrow) head_colours_.emplace(colour);
  shapes_ += fmt::format(
      "<path d=\"M{:.1f} {:.1f} Q{:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" stroke=\"{}\" "
      "stroke-width=\"{:.1f}\"{}/>\n",
      from.x, from.y, control.x, control.y, to.x, to.y, colour, width,
      head == Head::arrow ? fmt::format(" marker-end=\"url(#head-{})\"", name) : "");
}

void SvgPage::add(std::string_view shape, Point reaches) {
  reach(reaches);
  shapes_ += shape;
}

std::string SvgPage::heads() const {
  std::string all;
  for (const std::string& colour : head_colours_)
    all += fmt::format(
        "<marker id=\"head-{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" "
        "markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 "
        "8 "
        "z\" fill=\"{}\"/></marker>",
        colour.substr(colour[0] == '#' ? 1 : 0), colour);
  return all.empty() ? "" : "<defs>" + all + "</defs>\n";
}

std::string SvgPage::finish(std::string_view title, Fit fit) const {
  const double scale =
      fit == Fit::full ? 1 : std::min({1.0, screen.x / size_.x, screen.y / size_.y});
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" "
      "height=\"{:.0f}\" font-family=\"monospace\" font-size=\"12\">\n<title>{}</title>\n{}"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n",
      size_.x, size_.y, scale * size_.x, scale * size_.y, escaped(title), heads(), shapes_);
}

}  // namespace tutti::draw
