// SPDX-License-Identifier: BSD-3-Clause
// Sorts simulated times by candidate.
#include "simulation/curve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "schedule/printer.hpp"

namespace tutti::tools {
namespace {

using draw::Curve;

// The sizes that were simulated, and for each number of ranks the networks.
struct Spread {
  std::set<std::int64_t> sizes;
  std::map<int, std::set<std::string>> ranks;

  [[nodiscard]] bool over_bytes() const { return sizes.size() > 1; }
};

// Throws base::Error(invalid_argument) if the times are not those of one line of sizes or ranks.
Spread spread_of(const std::vector<SimulateResult>& results) {
  Spread spread;
  for (const auto& [setting, outcomes] : results) {
    spread.ranks[setting.ranks].insert(setting.machine.network.topology->name());
    for (const Outcome& outcome : outcomes) spread.sizes.insert(outcome.asked);
  }
  if (spread.over_bytes() == (spread.ranks.size() > 1))
    base::fail(base::Status::invalid_argument, "--curve {}",
               spread.over_bytes()
                   ? "is over sizes or over ranks: name one size or one number of ranks"
                   : "needs several sizes, such as --bytes 8..1M, or several numbers of ranks, "
                     "such as -n 2..16 or, on hypercubes, -d 2..8");
  for (const auto& [ranks, networks] : spread.ranks)
    if (networks.size() > 1)
      base::fail(base::Status::invalid_argument,
                 "--curve shows one network for each number of ranks, but {} ranks are on {}",
                 ranks, fmt::join(networks, ", "));
  return spread;
}

std::string family_of(const std::string& name) {
  return name.substr(0, name.find(':'));
}

// An algorithm whose settings are chosen for each size, such as chain, is one curve. Algorithms
// that compete at one place with several settings are one curve each.
std::set<std::string> tuned_families(const std::vector<SimulateResult>& results) {
  std::map<std::string, std::set<std::string>> names;
  std::set<std::string> competing, tuned;
  for (const SimulateResult& result : results) {
    std::set<std::tuple<std::int64_t, Sync, std::string>> here;
    for (const Outcome& outcome : result.outcomes) {
      const std::string family = family_of(outcome.name);
      names[family].insert(outcome.name);
      if (!outcome.report.stopped && !here.emplace(outcome.asked, outcome.sync, family).second)
        competing.insert(family);
    }
  }
  for (const auto& [family, all] : names)
    if (all.size() > 1 && !competing.contains(family)) tuned.insert(family);
  return tuned;
}

// Returns the name of an outcome's curve.
std::string curve_name(const std::set<std::string>& tuned, bool over_bytes, const Setting& setting,
                       const Outcome& outcome) {
  const std::string family = family_of(outcome.name);
  if (!tuned.contains(family)) return name_of(setting, outcome);
  Outcome one;
  one.name = family + (over_bytes ? ", settings by size" : ", settings by ranks");
  one.sync = outcome.sync;
  return name_of(setting, one);
}

// A simulation that was stopped has no time.
void add(std::vector<Curve>& curves, const std::string& name, double x, const Outcome& outcome,
         int runs) {
  if (outcome.report.stopped) return;
  auto curve = std::find_if(curves.begin(), curves.end(),
                            [&](const Curve& one) { return one.name == name; });
  if (curve == curves.end()) curve = curves.insert(curve, Curve{name, {}});
  curve->points.push_back({x, outcome.mean});
  if (runs > 1) curve->band.push_back({x, outcome.least, outcome.most});
}

// A barrier has no size, and networks that differ have no name in common.
std::string title_over_ranks(const Setting& setting, const Spread& spread) {
  const bool sized = setting.operation != schedule::Operation::barrier;
  std::set<std::string> networks;
  for (const auto& [ranks, here] : spread.ranks) networks.insert(here.begin(), here.end());
  return fmt::format("{}{} on {}{}, simulated", schedule::to_text(setting.operation),
                     sized ? " of " + size_text(*spread.sizes.begin()) : "", setting.machine.name,
                     networks.size() == 1 ? ", " + *networks.begin() : "");
}

}  // namespace

draw::Plot simulated_curve(const std::vector<SimulateResult>& results) {
  const Spread spread = spread_of(results);
  const bool over_bytes = spread.over_bytes();
  const Setting& setting = results.front().setting;
  draw::Plot plot{over_bytes ? title_of(setting) : title_over_ranks(setting, spread),
                  {over_bytes ? draw::Axis{"bytes of the whole vector", draw::Unit::bytes}
                              : draw::Axis{"ranks", draw::Unit::ranks},
                   {"time", draw::Unit::microseconds}},
                  {}};
  const auto tuned = tuned_families(results);
  for (const SimulateResult& result : results)
    for (const Outcome& outcome : result.outcomes)
      add(plot.curves, curve_name(tuned, over_bytes, result.setting, outcome),
          over_bytes ? static_cast<double>(outcome.extent.bytes)
                     : static_cast<double>(result.setting.ranks),
          outcome, result.setting.runs);
  plot.crossings = draw::crossings_of(plot.curves, plot.axes);
  if (!over_bytes) return plot;
  Curve bare{"one message of the vector", {}, Curve::Kind::limit};
  for (const Outcome& outcome : results.front().outcomes) {
    const auto bytes = static_cast<double>(outcome.extent.bytes);
    if (bare.points.empty() || bare.points.back().x < bytes)
      bare.points.push_back(
          {bytes, setting.machine.node.alpha + setting.machine.node.beta * bytes});
  }
  plot.curves.push_back(std::move(bare));
  return plot;
}

}  // namespace tutti::tools
