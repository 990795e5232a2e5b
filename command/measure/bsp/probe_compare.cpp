// SPDX-License-Identifier: BSD-3-Clause
// Compares probes of several machines side by side.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bsp/probe_page.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

// The compared quantities, in the order in which the first machine that has them lists them.
struct Lines {
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>>
      // Values by line: one for each machine, 0 if a machine has none.
      values;

  void add(const std::string& line, std::size_t machine, std::size_t machines, double value) {
    auto [found, is_new] = values.try_emplace(line, machines, 0.0);
    if (is_new) order.push_back(line);
    found->second[machine] = value;
  }
};

Lines lines_of(const std::vector<Probed>& machines) {
  Lines lines;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const ProbeData& data = machines[i].data;
    const auto add = [&](const std::string& line, double value) {
      lines.add(line, i, machines.size(), value);
    };
    for (const Speed& speed : data.speeds)
      add(fmt::format("f {}, n = {}, ns", speed.operation, speed.n), speed.seconds * 1e9);
    for (const auto& [name, seconds] : data.latencies)
      add(fmt::format("l after {}, us", name), seconds * 1e6);
    for (const ProbeData::Series& series : data.series) {
      const Gap gap = gap_of(series.samples);
      const std::string who = fmt::format("{}, {}", series.access, series.pattern);
      add(fmt::format("g_inf {}, ns/word", who), gap.g_inf * 1e9);
      add(fmt::format("h_half {}, words", who), gap.h_half);
      add(fmt::format("o {}, words", who), gap.overhead);
    }
  }
  return lines;
}

}  // namespace

std::string comparison_of(const std::vector<Probed>& machines) {
  std::string text;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    text += fmt::format("{}: {}, {} processes\n", i + 1, machines[i].source,
                        machines[i].data.processes);
  }
  Table table("<36");
  for (std::size_t i = 0; i < machines.size(); ++i)
    table.add_columns(std::to_string(i + 1) + ">12.4g; /best>7.2f");
  const Lines lines = lines_of(machines);
  for (const std::string& line : lines.order) {
    const std::vector<double>& values = lines.values.at(line);
    double best = 0;
    for (const double value : values)
      best = value > 0 && (best <= 0 || value < best) ? value : best;
    Table::Row cells = {line};
    for (const double value : values) {
      cells.emplace_back(value > 0 ? nlohmann::json(value) : "-");
      cells.emplace_back(value > 0 ? nlohmann::json(value / best) : "-");
    }
    table.add(std::move(cells));
  }
  return text + "\n" + table.text();
}

}  // namespace tutti::tools
