// SPDX-License-Identifier: BSD-3-Clause
#include "papers/common/chart.hpp"

#include "papers/common/page.hpp"

namespace tutti::papers {

draw::Axes linear_axes(const std::string& x, const std::string& y) {
  return {draw::axis_of(x, draw::Scale::linear), draw::axis_of(y, draw::Scale::linear)};
}

std::string svg_of(const Chart& chart) {
  return "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n" +
         (chart.drawn.empty() ? draw::plot_svg({chart.title, chart.axes, chart.curves})
                              : chart.drawn);
}

void write_charts(const std::vector<Chart>& charts, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const Chart& chart : charts) write_file(folder / (chart.file + ".svg"), svg_of(chart));
}

}  // namespace tutti::papers
