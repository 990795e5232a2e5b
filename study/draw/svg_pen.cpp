// SPDX-License-Identifier: BSD-3-Clause
// Draws the marks of films. The colours are those of Okabe and Ito, which colour-blind readers tell
// apart. A block that is closer to its result is darker, so a grey print can be read too.
#include "draw/svg_pen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/plot_look.hpp"

namespace tutti::draw {
namespace {

// On a dark page, ink and paper change places, and the blocks keep their colours.
constexpr std::string_view style_of_marks = R"(<style>
svg{font-family:"DejaVu Sans",Verdana,Helvetica,sans-serif;font-size:13px}
.t{font-size:20px;font-weight:bold}.b{font-weight:bold}.k{font-size:11px;fill:#444}
.m{text-anchor:middle}.e{text-anchor:end}.own{fill:#CFE8F7;stroke:#333}
.part{fill:#E69F00;stroke:#333}.done{fill:#0072B2;stroke:#333}.gone{fill:#fff;stroke:#d4d4d4}
.hatch{fill:url(#hatch)}.small{stroke:none}.grid{fill:none;stroke:#bbb;stroke-width:.7}
.new{fill:none;stroke:#000;stroke-width:2.6}.thin{stroke-width:1.7}.life{stroke:#ddd;fill:none}
.dash{stroke:#aaa;stroke-width:1.5}.halo{stroke:#fff;stroke-width:5}.bar{fill:#fff;stroke:#333;
stroke-width:.6}.a{stroke:#555;stroke-width:1.5}.ah{fill:#555}.f{stroke:#000;stroke-width:2.8}
.plus{fill:#fff;stroke:#000;stroke-width:1.4}.w{stroke:#c00;stroke-width:2.8}
.gap{stroke-dasharray:6 4}.wh{fill:#c00}.bad{fill:none;stroke:#c00;stroke-width:3}
.red{fill:#c00;font-weight:bold}.way{fill:none;stroke:#000;stroke-width:1}.d1{fill:#9ecae1}
.d2{fill:#4f9fcb}@media(prefers-color-scheme:dark){svg>rect{fill:#16181c}text{fill:#e4e4e4}
.k{fill:#b4b4b4}.on{fill:#000}.onw{fill:#fff}.gone{fill:#16181c;stroke:#4a4d52}.new{stroke:#fff}
.life{stroke:#34373c}.dash{stroke:#777}.halo{stroke:#16181c}.a{stroke:#aaa}.ah{fill:#aaa}
.f{stroke:#fff}.ink{fill:#fff}.plus{fill:#16181c;stroke:#fff}.w{stroke:#ff6b5e}.wh{fill:#ff6b5e}
.bad{stroke:#ff6b5e}.red{fill:#ff6b5e}.way{stroke:#fff}.grid{stroke:#555}}</style><defs>
<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 4L4 0"
stroke="#999" stroke-width=".8"/>
</pattern></defs>
)";

}  // namespace

SvgPen::SvgPen(double width, Style style)
    : page_(style == Style::of_plots ? style_of_plots : std::string_view()) {
  page_.add(style == Style::own ? style_of_marks : "", {width, 0});
}

std::string_view SvgPen::style() {
  return style_of_marks;
}

void SvgPen::text(Point at, std::string_view kind, std::string_view words) {
  if (words.empty()) return;
  page_.add(fmt::format("<text x=\"{:.5g}\" y=\"{:.5g}\" class=\"{}\">{}</text>\n", at.x, at.y,
                        kind, escaped(words)),
            at);
}

void SvgPen::letter(Point at, double size, Ink ink, std::string_view words) {
  page_.add(fmt::format(
      "<text x=\"{:.5g}\" y=\"{:.5g}\" class=\"m {}\" font-size=\"{:.3g}\"{}>{}</text>\n", at.x,
      at.y, ink == Ink::white ? "onw" : "on", size, ink == Ink::white ? " fill=\"#fff\"" : "",
      words));
}

void SvgPen::path(std::string_view kind, const std::string& d) {
  if (!d.empty()) page_.add(fmt::format("<path class=\"{}\" d=\"{}\"/>\n", kind, d));
}

void SvgPen::arrow(const DrawnArrow& arrow) {
  const Point way = arrow.to - arrow.from, unit = (1 / std::max(1.0, length(way))) * way,
              left{unit.y, -unit.x}, neck = arrow.to - 9 * unit;
  const bool usual = arrow.kind == ArrowKind::usual, bold = arrow.kind == ArrowKind::bold;
  const double wide = usual ? 3.5 : 5;
  const Point a = neck + wide * left, b = neck - wide * left;
  const std::string line =
      fmt::format("M{:.5g} {:.5g}L{:.5g} {:.5g}", arrow.from.x, arrow.from.y, neck.x, neck.y);
  path("halo", line);
  path(usual ? "a" : bold ? "f" : arrow.kind == ArrowKind::wrong ? "w" : "w gap", line);
  path(usual  ? "ah"
       : bold ? "ink"
              : "wh",
       fmt::format("M{:.5g} {:.5g}L{:.5g} {:.5g}L{:.5g} {:.5g}z", arrow.to.x, arrow.to.y, a.x, a.y,
                   b.x, b.y));
}

void SvgPen::plus(Point at) {
  path("plus",
       fmt::format("M{0:.5g} {1:.5g}a7 7 0 1 0 14 0a7 7 0 1 0-14 0M{2:.5g} {1:.5g}h8M{3:.5g} "
                   "{4:.5g}v8",
                   at.x - 7, at.y, at.x - 4, at.x, at.y - 4));
}

std::string box(Point at, double w, double h) {
  return fmt::format("M{:.5g} {:.5g}h{:.5g}v{:.5g}h{:.5g}z", at.x, at.y, w, h, -w);
}

}  // namespace tutti::draw
