// SPDX-License-Identifier: BSD-3-Clause
// Writes the probe's report: tables as HTML, samples as curves and surfaces.
#include "bsp/probe_page.hpp"

#include <fmt/format.h>

#include <map>

#include "bsp/doubts.hpp"
#include "bsp/profile_cells.hpp"
#include "draw/plot.hpp"
#include "draw/surface.hpp"

namespace tutti::tools {
namespace {

using draw::Axes;
using draw::Curve;

constexpr const char* head = R"(<!DOCTYPE html>
<!-- SPDX-License-Identifier: BSD-3-Clause -->
<html lang="en"><head><meta charset="utf-8"><title>BSP parameters</title><style>
:root { color-scheme: light dark; }
body { font: 14px "DejaVu Sans", Verdana, Helvetica, sans-serif; margin: 2em; }
table { border-collapse: collapse; margin-bottom: 2em; }
td, th { padding: 2px 9px; text-align: right; border-bottom: 1px solid #ddd; }
svg { display: block; max-width: 100%; height: auto; margin-bottom: 1em; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #ddd; } }
</style></head><body><h1>BSP parameters</h1>
<p>f: time per operation while all processes compute. l: time of an empty superstep. g: time of a
superstep of equal messages over its words; a word of 8 bytes counts once for a process that sends
it while it receives another. g_inf by (3.2), h_half by (3.4), o by (3.6) of Krusche's thesis
(Experimental evaluation of BSP programming libraries, Warwick). Errors are means of squares, in us
per word: "error BSP" of the model with start-up, h_half (2.5); "error BSP*" of the model with
start-up and overhead per message, o (2.6). Dashed curves are the model with start-up.</p>
)";

std::string speeds_of(const ProbeData& data) {
  if (data.speeds.empty()) return {};
  std::string table =
      "<table class=\"f\"><tr><th>operation</th><th>n</th><th>f ns</th><th>M "
      "operations/s</th><th></th></tr>\n";
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < data.speeds.size(); ++i) {
    const Speed& speed = data.speeds[i];
    table +=
        fmt::format("<tr><td>{}</td><td>{}</td><td>{:.4f}</td><td>{:.1f}</td><td>{}</td></tr>\n",
                    escaped(speed.operation), speed.n, speed.seconds * 1e9, 1e-6 / speed.seconds,
                    speed_is_usable(data, i) ? "" : not_usable);
    if (curves.empty() || curves.back().name != speed.operation) {
      bool known = false;
      for (const Curve& curve : curves) known = known || curve.name == speed.operation;
      if (!known) curves.push_back({speed.operation, {}});
    }
    for (Curve& curve : curves) {
      if (curve.name == speed.operation) curve.points.push_back({speed.n, 1e-6 / speed.seconds});
    }
  }
  return table + "</table>\n" +
         draw::plot_svg(
             {"Speed of one process (as figure 3.1)", {{"n"}, {"M operations/s"}}, curves});
}

std::string latencies_of(const ProbeData& data) {
  std::string table = "<table class=\"l\"><tr><th>bsp_sync after</th><th>l us</th></tr>\n";
  for (const auto& [name, seconds] : data.latencies) {
    table += fmt::format("<tr><td>{}</td><td>{:.3f}</td></tr>\n", escaped(name), seconds * 1e6);
  }
  return table + "</table>\n";
}

std::string gaps_of(const ProbeData& data) {
  std::string table =
      "<table class=\"g\"><tr><th>pattern</th><th>access</th><th>g_inf "
      "ns</th><th>h_half</th><th>o</th><th>error BSP*</th><th>error BSP</th></tr>\n";
  for (const ProbeData::Series& series : data.series) {
    const Gap gap = gap_of(series.samples);
    table += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{:.4f}</td><td>{:.0f}</td><td>{:.1f}</td><td>{:.3g}</"
        "td><td>{:.3g}</td></tr>\n",
        escaped(series.pattern), escaped(series.access), gap.g_inf * 1e9, gap.h_half, gap.overhead,
        gap.error_bspstar, gap.error_bsp);
  }
  return table + "</table>\n";
}

// Adds the curves of g over h with one message in a superstep, as measured and as (2.5) predicts.
void add_startup(std::vector<Curve>& curves, const ProbeData::Series& series,
                 const std::string& name) {
  const Gap gap = gap_of(series.samples);
  Curve measured{name, {}}, model{name + ", model", {}, Curve::Kind::computed};
  for (const GapSample& sample : series.samples) {
    if (sample.count > series.samples.front().count) continue;
    measured.points.push_back({sample.size * sample.count, sample.g * 1e9});
    model.points.push_back({sample.size * sample.count, gap.At(sample.size * sample.count) * 1e9});
  }
  if (measured.points.empty()) return;
  curves.push_back(std::move(measured));
  curves.push_back(std::move(model));
}

std::string surface_of(const ProbeData::Series& series) {
  std::vector<draw::Sample> samples;
  for (const GapSample& sample : series.samples)
    samples.push_back({sample.size, sample.count, sample.g * 1e9});
  return surface_svg(samples, {{"words in a message"}, {"messages"}},
                     fmt::format("g in ns/word: {}, {} (as figures 2.4 and 3.3 to 3.10)",
                                 series.access, series.pattern));
}

std::string machine_section(const Probed& machine) {
  const ProbeData& data = machine.data;
  std::string text =
      fmt::format("<h2>{}, {} processes</h2>\n", escaped(machine.source), data.processes);
  for (const std::string& doubt : doubts_of(data)) {
    text += fmt::format("<p class=\"doubt\"><b>{}</b>: {}</p>\n", not_usable, escaped(doubt));
  }
  text += speeds_of(data) + latencies_of(data) + gaps_of(data);
  std::map<std::string, std::vector<Curve>> by_pattern;
  for (const ProbeData::Series& series : data.series)
    add_startup(by_pattern[series.pattern], series, series.access);
  for (const auto& [pattern, curves] : by_pattern) {
    text += draw::plot_svg({fmt::format("One message per process, {} (as figure 2.3)", pattern),
                            {{"h, words"}, {"g, ns/word"}},
                            curves});
  }
  for (const ProbeData::Series& series : data.series) text += surface_of(series);
  return text;
}

// Shows the same measurement on each machine.
std::string comparison_section(const std::vector<Probed>& machines) {
  std::string text =
      fmt::format("<h2>Side by side</h2>\n<pre>{}</pre>\n", escaped(comparison_of(machines)));
  std::map<std::pair<std::string, std::string>, std::vector<Curve>> curves;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    for (const ProbeData::Series& series : machines[i].data.series) {
      add_startup(curves[{series.pattern, series.access}], series, std::to_string(i + 1));
    }
  }
  for (const auto& [what, found] : curves) {
    text += draw::plot_svg({fmt::format("{}, {}, by machine", what.second, what.first),
                            {{"h, words"}, {"g, ns/word"}},
                            found});
  }
  return text;
}

}  // namespace

std::string probe_page(const std::vector<Probed>& machines) {
  std::string page = head;
  if (machines.size() > 1) page += comparison_section(machines);
  for (const Probed& machine : machines) page += machine_section(machine);
  return page + "</body></html>\n";
}

}  // namespace tutti::tools
