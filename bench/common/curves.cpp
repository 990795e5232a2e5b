// SPDX-License-Identifier: BSD-3-Clause
// Draws the curves of the reports in Python as `tutti probe` draws its own. Reads from standard
// input {"title": "...", "x": "...", "y": "...", "curves": [{"name": "...", "points": [[x, y],
// ...]},
// ...]} and writes an SVG picture to standard output. The axes have the words of draw::axis_of. A
// curve may have "computed": true, which dashes it, "circles": true, which leaves its line out, or
// "limit": true, for what the bare machine takes.
// "diagonal" names the line on which both axes are equal, and makes the picture square.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "draw/plot.hpp"

namespace {

using namespace tutti;

std::string drawn(const nlohmann::json& picture) {
  std::vector<draw::Curve> curves;
  for (const nlohmann::json& given : picture.at("curves")) {
    draw::Curve curve{given.at("name"), {}};
    if (given.value("computed", false)) curve.kind = draw::Curve::Kind::computed;
    if (given.value("circles", false)) curve.kind = draw::Curve::Kind::circles;
    if (given.value("limit", false)) curve.kind = draw::Curve::Kind::limit;
    for (const nlohmann::json& point : given.at("points"))
      curve.points.push_back({point.at(0), point.at(1)});
    curves.push_back(std::move(curve));
  }
  return draw::plot_svg({picture.at("title"),
                         {draw::axis_of(picture.at("x")), draw::axis_of(picture.at("y"))},
                         std::move(curves),
                         {},
                         picture.value("diagonal", "")});
}

}  // namespace

int main() {
  try {
    fmt::print("<!-- SPDX-License-Identifier: BSD-3-Clause -->\n{}",
               drawn(nlohmann::json::parse(std::cin)));
    return 0;
  } catch (const base::Error& error) {
    fmt::print(stderr, "bench_curves: {}\n", error.what());
  } catch (const nlohmann::json::exception& error) {
    fmt::print(stderr, "bench_curves: {}\n", error.what());
  }
  return 1;
}
