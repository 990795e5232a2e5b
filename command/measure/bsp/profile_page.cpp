// SPDX-License-Identifier: BSD-3-Clause
// Writes a profile as a page: a drawing of the time of all supersteps, a table of call sites and a
// table of supersteps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bsp/profile.hpp"
#include "bsp/profile_cells.hpp"

namespace tutti::tools {
namespace {

constexpr std::size_t most_bars = 300, most_rows = 2000;

constexpr const char* profile_head = R"(<!DOCTYPE html>
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<html lang="en"><head><meta charset="utf-8"><title>{0}</title><style>
body {{ font: 14px sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; margin-bottom: 2em; }}
td, th {{ padding: 2px 9px; text-align: right; border-bottom: 1px solid #ddd; }}
td.site, th.site {{ text-align: left; font-family: monospace; }}
.compute {{ fill: #0072b2; }} .wait {{ fill: #f0e442; }} .sync {{ fill: #e69f00; }}
.call {{ fill: #ddddee; stroke: white; }} .model {{ stroke: black; stroke-width: 2; }}
.axis {{ stroke: #dddddd; }} .number {{ text-anchor: end; }} svg {{ font-size: 12px; }}
</style></head><body><h1>{0}</h1>
<p>{1}</p>
)";

constexpr const char* legend =
    "<p>w: the longest computation. wait: the longest less the mean, which is how long a process "
    "waits for the slowest. h: words of 8 bytes, the most of any process. sync: the shortest "
    "bsp_sync, that of the last to arrive. (2.3), (2.5) and (2.6): predicted by the models of "
    "Krusche's thesis (Experimental evaluation of BSP programming libraries, Warwick) "
    "without start-up, with it, and with overhead per message. They add up the largest values of "
    "all processes. \"By process\" adds up what each process does, by the machine's samples, and "
    "takes the slowest.</p>\n";

constexpr double bars_height = 300, bars_width = 1200;
constexpr double left_margin = 80, top_margin = 40;

// Draws horizontal lines at round numbers of microseconds, and above them the names of the colours.
std::string axis_of(double most_us) {
  const double unit = std::pow(10, std::floor(std::log10(most_us)));
  const double tick = most_us / unit < 2 ? unit / 5 : most_us / unit < 5 ? unit / 2 : unit;
  std::string text;
  for (double us = 0; us <= most_us * 1.0001; us += tick) {
    const double y = bars_height - us / most_us * bars_height;
    text += fmt::format(
        "<path class=\"axis\" d=\"M0 {0:.1f} h{1:.0f}\"/><text class=\"number\" x=\"-6\" "
        "y=\"{2:.1f}\">{3:.6g}</text>\n",
        y, bars_width, y + 4, us);
  }
  text += fmt::format("<text class=\"number\" x=\"-6\" y=\"{:.0f}\">us</text>\n", 20 - top_margin);
  double x = 0;
  for (const auto& [kind, name] : {std::pair{"compute", "mean computation"},
                                   {"wait", "waiting for the slowest"},
                                   {"sync", "bsp_sync"}}) {
    text += fmt::format(
        "<rect class=\"{}\" x=\"{:.0f}\" y=\"-30\" width=\"12\" height=\"12\"/><text x=\"{:.0f}\" "
        "y=\"-20\">{}</text>\n",
        kind, x, x + 18, name);
    x += 200;
  }
  return text + fmt::format(
                    "<path class=\"model\" d=\"M{:.0f} -24 h12\"/><text x=\"{:.0f}\" "
                    "y=\"-20\">predicted, with overhead per message (2.6)</text>\n",
                    x, x + 18);
}

// Draws the parts of the time as a stacked bar, and the prediction of (2.6) as a line across it.
// `scale` is in units of length per second.
std::string bar_of(const Sum& bar, double left, double wide, double scale) {
  double top = bars_height;
  std::string text;
  const auto part = [&](const char* kind, double seconds) {
    const double tall = std::max(0.0, seconds) * scale;
    top -= tall;
    text += fmt::format(
        "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", kind,
        left, top, wide, tall);
  };
  part("compute", bar.all.compute_mean);
  part("wait", bar.all.wait());
  part("sync", bar.all.cost.measured - bar.all.cost.compute);
  return text + fmt::format("<path class=\"model\" d=\"M{:.1f} {:.1f} h{:.1f}\"/>\n", left,
                            bars_height - bar.overhead * scale, wide);
}

// Draws a bar for each superstep. If there are too many, each bar stands for the same number of
// consecutive supersteps.
std::string drawing_of(const std::vector<ProfiledStep>& steps, const BspMachine& machine) {
  const std::size_t each = (steps.size() + most_bars - 1) / most_bars;
  std::vector<Sum> bars((steps.size() + each - 1) / each);
  for (std::size_t i = 0; i < steps.size(); ++i) bars[i / each].add(steps[i], machine);
  double most = 1e-9;
  for (const Sum& bar : bars) most = std::max({most, bar.all.cost.measured, bar.overhead});
  const double wide = std::min(40.0, bars_width / static_cast<double>(bars.size()));
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{0:.0f} {1:.0f} {2:.0f} {3:.0f}\" "
      "width=\"{2:.0f}\" height=\"{3:.0f}\">\n",
      -left_margin, -top_margin, bars_width + left_margin, bars_height + top_margin + 8);
  text += axis_of(most * 1e6);
  for (std::size_t i = 0; i < bars.size(); ++i) {
    text += fmt::format(
        "<g><title>supersteps {} to {}, {}: {:.2f} us measured, {:.2f} us "
        "predicted</title>\n{}</g>\n",
        i * each, i * each + bars[i].steps - 1, escaped(steps[i * each].site),
        bars[i].all.cost.measured * 1e6, bars[i].overhead * 1e6,
        bar_of(bars[i], static_cast<double>(i) * wide, 0.9 * wide, bars_height / most));
  }
  return text +
         fmt::format("</svg>\n<p>Time of {}, from the left.</p>\n",
                     each == 1 ? "each superstep" : fmt::format("every {} supersteps", each));
}

// Lists the call sites, those with the most time first.
std::string sites_of(const std::vector<ProfiledStep>& steps, const BspMachine& machine) {
  std::map<std::string, Sum> found;
  for (const ProfiledStep& step : steps) found[step.site].add(step, machine);
  std::vector<std::pair<std::string, Sum>> sites(found.begin(), found.end());
  std::stable_sort(sites.begin(), sites.end(), [](const auto& a, const auto& b) {
    return a.second.all.cost.measured > b.second.all.cost.measured;
  });
  std::string text = fmt::format(
      "<h2>Call sites</h2>\n<table id=\"sites\"><tr><th class=\"site\">bsp_sync "
      "at</th><th>supersteps</th>{}",
      columns_of_cells);
  for (const auto& [site, sum] : sites) {
    text += fmt::format("<tr><td class=\"site\">{}</td><td>{}</td>{}", escaped(site), sum.steps,
                        cells_of(sum));
  }
  return text + "</table>\n";
}

std::string list_of(const std::vector<ProfiledStep>& steps, const BspMachine& machine) {
  const std::size_t shown = std::min(steps.size(), most_rows);
  std::string text = "<h2>Supersteps</h2>\n";
  if (shown < steps.size())
    text += fmt::format("<p>The first {} of {}.</p>\n", shown, steps.size());
  text += fmt::format(
      "<table id=\"supersteps\"><tr><th>superstep</th><th class=\"site\">bsp_sync at</th>{}",
      columns_of_cells);
  for (std::size_t i = 0; i < shown; ++i) {
    Sum one;
    one.add(steps[i], machine);
    text += fmt::format("<tr><td>{}</td><td class=\"site\">{}</td>{}", i, escaped(steps[i].site),
                        cells_of(one));
  }
  return text + "</table>\n";
}

}  // namespace

std::string profile_page(const std::vector<ProfiledStep>& steps, const BspMachine& machine,
                         const std::string& title, const std::string& subject) {
  Sum whole;
  for (const ProfiledStep& step : steps) whole.add(step, machine);
  std::string page = fmt::format(fmt::runtime(profile_head), escaped(title), escaped(subject));
  if (!steps.empty()) page += drawing_of(steps, machine);
  page += legend;
  page += fmt::format("<table id=\"whole\"><tr><th>supersteps</th>{}<tr><td>{}</td>{}</table>\n",
                      columns_of_cells, whole.steps, cells_of(whole));
  return page + sites_of(steps, machine) + call_graph_of(steps, machine) + list_of(steps, machine) +
         "</body></html>\n";
}

}  // namespace tutti::tools
