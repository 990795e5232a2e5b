// SPDX-License-Identifier: BSD-3-Clause
// Writes shapes as XML.
#include "draw/svg_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tutti::draw {
namespace {

constexpr double margin = 12, size_of_text = 12;

// Shapes name their colours, and on a dark page some of them are replaced: ink becomes light, light
// areas become dark, and lines of a grid stay faint.
constexpr std::string_view style_of_shapes = R"(<style>
@media(prefers-color-scheme:dark){.page{fill:#16181c}text[fill=black]{fill:#ddd}
[stroke=black],[stroke="#000000"]{stroke:#ccc}marker [fill=black],marker [fill="#000000"]{fill:#ccc}
[stroke="#d0d0d0"]{stroke:#44464a}[fill=white]{fill:#16181c}[fill="#bcd4ee"]{fill:#24517c}
[fill="#f2f2f2"],[fill="#eeeeee"]{fill:#26282b}[fill="#e4e4e4"]{fill:#3a3c40}}</style>
)";

// The widths of the letters from the space to the tilde in DejaVu Sans, in hundredths of the size.
constexpr std::array<unsigned char, 95> widths = {
    32, 40, 46, 84, 64, 95, 78, 27, 39,  39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79,
    60, 79, 69, 63, 61, 73, 68, 99, 69,  61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63,
    63, 28, 28, 58, 28, 97, 63, 61, 63,  63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84};
constexpr int width_of_others = 64;

}  // namespace

double text_width(std::string_view text, double size) {
  int sum = 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool continues = (code & 0xC0U) == 0x80U;  // belongs to the letter before it
    if (continues) continue;
    sum += code >= ' ' && code <= '~' ? widths[code - std::size_t{' '}] : width_of_others;
  }
  return size * sum / 100;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '"') {
      result += "&quot;";
    } else {
      result += c;
    }
  }
  return result;
}

double length(Point a) {
  return std::hypot(a.x, a.y);
}

SvgPage::SvgPage() : SvgPage(style_of_shapes) {}

void SvgPage::reach(Point at) {
  size_ = {std::max(size_.x, at.x + margin), std::max(size_.y, at.y + margin)};
}

void SvgPage::text(Point at, std::string_view text, Anchor anchor, std::string_view colour) {
  reach(at + Point{text_width(text, size_of_text) / (anchor == Anchor::start ? 1 : 2), 0});
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

std::string SvgPage::finish(std::string_view title, Fit fit, std::string_view description) const {
  const double scale =
      fit == Fit::full ? 1 : std::min({1.0, screen.x / size_.x, screen.y / size_.y});
  const std::string name = escaped(title);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" "
      "height=\"{:.0f}\" font-family=\"{}\" font-size=\"{}\" role=\"img\" aria-label=\"{}\">\n"
      "<title>{}</title>\n{}{}{}<rect class=\"page\" width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n{}</svg>\n",
      size_.x, size_.y, scale * size_.x, scale * size_.y, letters_of_pictures, size_of_text, name,
      name, description.empty() ? "" : fmt::format("<desc>{}</desc>\n", escaped(description)),
      style_, heads(), shapes_);
}

}  // namespace tutti::draw
