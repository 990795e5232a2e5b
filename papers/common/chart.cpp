// SPDX-License-Identifier: BSD-3-Clause
#include "papers/common/chart.hpp"

#include "papers/common/page.hpp"

namespace tutti::papers {

std::string svg_of(const Chart& chart) {
  return "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n" +
         (chart.drawn.empty() ? draw::curves_svg(chart.curves, chart.axes, chart.title)
                              : chart.drawn);
}

void write_charts(const std::vector<Chart>& charts, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const Chart& chart : charts) write_file(folder / (chart.file + ".svg"), svg_of(chart));
}

}  // namespace tutti::papers
