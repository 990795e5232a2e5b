// SPDX-License-Identifier: BSD-3-Clause
// The colours are those of Okabe and Ito, which colour-blind readers tell apart. On dark pages they
// are lighter. PlotMarks differ in shape, too.
#include "draw/plot_look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tutti::draw {
namespace {

constexpr int colours = 7, shapes = 4;
constexpr double marks_meet = 4;  // marks that are nearer are at one place

std::string circle(Point at, double r) {
  return fmt::format(
      "M{:.1f} {:.1f}a{r:.3g} {r:.3g} 0 1 0 {d:.3g} 0a{r:.3g} {r:.3g} 0 1 0-{d:.3g} 0z", at.x - r,
      at.y, fmt::arg("r", r), fmt::arg("d", 2 * r));
}

std::string cross(Point at, double r, bool slanted) {
  if (!slanted)
    return fmt::format("M{:.1f} {:.1f}h{d:.3g}m-{r:.3g}-{r:.3g}v{d:.3g}", at.x - r, at.y,
                       fmt::arg("r", r), fmt::arg("d", 2 * r));
  return fmt::format("M{:.1f} {:.1f}l{d:.3g} {d:.3g}m0-{d:.3g}l-{d:.3g} {d:.3g}", at.x - r,
                     at.y - r, fmt::arg("d", 2 * r));
}

std::string filled(Point at, double r, int shape) {
  const std::string start = fmt::format("M{:.1f} {:.1f}", at.x, at.y);
  switch (shape) {
    case 0:
      return circle(at, r);
    case 1:
      return start + fmt::format("m-{r:.3g}-{r:.3g}h{d:.3g}v{d:.3g}h-{d:.3g}z", fmt::arg("r", r),
                                 fmt::arg("d", 2 * r));
    case 2:
      return start +
             fmt::format("m0-{:.3g}l{:.3g} {:.3g}h-{:.3g}z", 1.2 * r, 1.2 * r, 2 * r, 2.4 * r);
    default:
      return start + fmt::format("m0-{r:.3g}l{r:.3g} {r:.3g}l-{r:.3g} {r:.3g}l-{r:.3g}-{r:.3g}z",
                                 fmt::arg("r", 1.3 * r));
  }
}

}  // namespace

const std::string_view style_of_plots = R"(<style>
.plot{font-size:12px}.plot .t{font-size:16px;font-weight:bold}.plot .m{text-anchor:middle}
.plot .e{text-anchor:end}.plot text{fill:#000}.plot .frame{fill:none;
stroke:#777}.plot .grid{stroke:#e2e2e2}.plot .tick{stroke:#777;fill:none}.plot .at{stroke:#777;
stroke-dasharray:2 3;fill:none}.plot .ring{fill:none;stroke:#333;stroke-width:1.5}
.plot .equal{stroke:#999;stroke-width:1.2;stroke-dasharray:10 4;fill:none}
.plot .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
.plot .thin{stroke-width:1.3}.plot .dash{stroke-dasharray:6 3}.plot .again{stroke-dasharray:9 2 2 2}
.plot .dots{stroke-dasharray:2 3}.plot .mixed{stroke-dasharray:8 3 2 3}
.plot .band{fill:currentColor;fill-opacity:.2}
.plot .mark{fill:currentColor;stroke:#fff;stroke-width:.8}
.plot .hollow{fill:none;stroke:currentColor;stroke-width:1.3}
.plot .c0{color:#0072b2}.plot .c1{color:#e69f00}.plot .c2{color:#009e73}.plot .c3{color:#d55e00}
.plot .c4{color:#cc79a7}.plot .c5{color:#56b4e9}.plot .c6{color:#000}.plot .grey{color:#777}
@media(prefers-color-scheme:dark){.plot text{fill:#ddd}.page{fill:#16181c}
.plot .grid{stroke:#2c2d30}.plot .ring{stroke:#ccc}.plot .mark{stroke:#16181c}
.plot .c0{color:#4aa3df}.plot .c1{color:#f0b83c}.plot .c2{color:#2fc495}.plot .c3{color:#ff8a4a}
.plot .c4{color:#e3a3c6}.plot .c5{color:#9bd6fa}.plot .c6{color:#eee}.plot .grey{color:#999}}
</style>
)";

bool has_line(Curve::Kind kind) {
  return kind != Curve::Kind::circles && kind != Curve::Kind::crosses;
}

std::vector<CurveLook> looks_of(std::span<const Curve> curves) {
  using Kind = Curve::Kind;
  std::vector<CurveLook> looks;
  int limits = 0;
  int leaders = 0;  // curves that do not have the colour of the one before
  for (const Curve& curve : curves) {
    if (curve.kind == Kind::limit) {
      constexpr const char* lines[] = {"line dots", "line mixed", "line thin"};
      looks.push_back({"grey", lines[limits++ % 3], 0});
      continue;
    }
    const bool follows =
        curve.kind == Kind::computed || curve.kind == Kind::fit || curve.kind == Kind::crosses;
    const int number = follows ? std::max(leaders - 1, 0) : leaders++;
    looks.push_back({fmt::format("c{}", number % colours),
                     curve.kind == Kind::computed ? "line thin dash"
                     : curve.kind == Kind::fit    ? "line thin"
                     : number >= colours          ? "line again"
                                                  : "line",
                     number % shapes});
  }
  return looks;
}

void PlotMarks::next() {
  for (const auto& [cell, size] : own_) earlier_[cell].insert(size);
  own_.clear();
}

int PlotMarks::free_size(Cell cell) const {
  std::set<int> taken;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dy = -1; dy <= 1; ++dy) {
      const auto found = earlier_.find({cell.first + dx, cell.second + dy});
      if (found != earlier_.end()) taken.insert(found->second.begin(), found->second.end());
    }
  }
  int size = 0;
  while (taken.contains(size)) ++size;
  return size;
}

std::string PlotMarks::mark(Point at, const CurveLook& look, Curve::Kind kind) {
  using Kind = Curve::Kind;
  if (has_line(kind) && kind != Kind::measured) return "";
  const Cell cell{static_cast<int>(std::lround(at.x / marks_meet)),
                  static_cast<int>(std::lround(at.y / marks_meet))};
  const int size = free_size(cell);
  own_.emplace_back(cell, size);
  // Later marks are smaller if they are filled, and larger if they are hollow.
  if (kind == Kind::measured) return filled(at, std::max(3.6 - 0.8 * size, 0.8), look.shape);
  return kind == Kind::circles ? circle(at, 3 + 1.5 * size) : cross(at, 4 + size, size % 2 == 1);
}

std::string marks_element(const std::string& d, Curve::Kind kind) {
  return fmt::format("<path class=\"{}\" d=\"{}\"/>\n",
                     kind == Curve::Kind::measured ? "mark" : "hollow", d);
}

}  // namespace tutti::draw
