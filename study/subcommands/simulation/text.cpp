// SPDX-License-Identifier: BSD-3-Clause
// Prints tables of many outcomes, and everything about one.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "schedule/printer.hpp"
#include "selection/explain.hpp"
#include "simulate/text.hpp"
#include "simulation/print.hpp"
#include "simulation/recorded.hpp"
#include "support/sizes.hpp"
#include "support/table.hpp"

namespace tutti::tools {
namespace {

using simulate::PathStep;
using simulate::Report;

constexpr std::size_t most_path_steps = 12, most_links = 5;

std::string ratio_of(const Outcome& outcome) {
  return outcome.formula && *outcome.formula > 0
             ? fmt::format("{:.3f}", outcome.mean / *outcome.formula)
             : "-";
}

// Returns the links sorted by the time during which they were in use; ties keep the order of the
// indices.
std::vector<int> busiest_links(const Report& report, std::size_t most) {
  std::vector<int> order(report.links.size());
  std::iota(order.begin(), order.end(), 0);
  const auto busy = [&](int link) { return report.links[static_cast<std::size_t>(link)].busy; };
  std::erase_if(order, [&](int link) { return busy(link) <= 0; });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return busy(a) > busy(b); });
  order.resize(std::min(most, order.size()));
  return order;
}

// Returns the outcomes size by size, the fastest first. Those that were stopped stand last.
std::vector<const Outcome*> sorted(const std::vector<Outcome>& outcomes) {
  std::vector<const Outcome*> all;
  for (const Outcome& outcome : outcomes) all.push_back(&outcome);
  const auto key = [](const Outcome* o) {
    return std::tuple(o->asked, o->report.stopped, o->mean);
  };
  std::stable_sort(all.begin(), all.end(), [&](auto* a, auto* b) { return key(a) < key(b); });
  return all;
}

// Returns how much longer an outcome takes than the first of its size, which is the best.
std::string times_best(const Outcome& outcome, const Outcome& best) {
  if (&outcome == &best) return "best";
  if (outcome.report.stopped || best.mean <= 0) return "-";
  return fmt::format("{:.2f}", outcome.mean / best.mean);
}

std::string table_of(const SimulateResult& result) {
  const bool several = result.setting.runs > 1;
  const auto any = [&](auto has) {
    return std::any_of(result.outcomes.begin(), result.outcomes.end(), has);
  };
  const bool priced = any([](const Outcome& o) { return o.price.has_value(); });
  const bool synchronised = any([](const Outcome& o) { return o.sync != Sync::none; });
  Table table("bytes>10; block>10; algorithm<24");
  if (synchronised) table.add_columns(" sync<8");
  table.add_columns(several ? " least us>12.1f; mean us>12.1f; most us>12.1f" : " time us>12.1f");
  if (priced) table.add_columns(" price us>12.1f");
  table.add_columns(" x best>7; formula us>12.1f; ratio>8; contentions>11; waited us>14.1f");
  const Outcome* best = nullptr;
  for (const Outcome* each : sorted(result.outcomes)) {
    const Outcome& o = *each;
    if (best == nullptr || best->asked != o.asked) best = each;
    Table::Row cells = {o.extent.bytes, o.extent.block, o.name};
    if (synchronised) cells.emplace_back(to_text(o.sync));
    if (several) cells.emplace_back(o.least);
    if (o.report.stopped)
      cells.emplace_back(fmt::format("above {:.1f}", o.mean));
    else
      cells.emplace_back(o.mean);
    if (several) cells.emplace_back(o.most);
    if (priced) cells.emplace_back(*o.price);
    cells.insert(cells.end(), {times_best(o, *best), o.formula ? nlohmann::json(*o.formula) : "-",
                               ratio_of(o), o.report.contentions, o.report.waited});
    if (each == best)
      table.add_best(std::move(cells));
    else
      table.add(std::move(cells));
  }
  return table.text();
}

std::string synchronised(Sync sync) {
  return sync == Sync::none ? "" : fmt::format(", synchronisation {}", to_text(sync));
}

std::string text_of(const Setting& setting, const PathStep& step) {
  const std::string peer = step.peer < 0 ? "" : node_name(setting, step.peer);
  const std::string call =
      setting.run == nullptr ? "" : setting.run->call_of(step.node, step.phase);
  const std::string span =
      fmt::format("{:>12.1f} {:>12.1f}  node {}{}", step.begin, step.end,
                  node_name(setting, step.node), call.empty() ? "" : fmt::format(" in {}", call));
  switch (step.kind) {
    case PathStep::Kind::own:
      return span + " sends or works\n";
    case PathStep::Kind::message:
      return span + fmt::format(" waits for the message from {}, step {}{}\n", peer, step.step,
                                step.blocked > 0
                                    ? fmt::format(", blocked for {:.1f} us", step.blocked)
                                    : "");
    case PathStep::Kind::barrier:
      return span + " waits for a barrier\n";
    case PathStep::Kind::processor:
      return span + fmt::format(" has waited for {}, step {}\n", peer, step.step);
    case PathStep::Kind::pair:
      break;
  }
  return span + fmt::format(" synchronises with {}, step {}\n", peer, step.step);
}

std::string path_text(const Setting& setting, const Report& report) {
  double own = 0, messages = 0, blocked = 0, synchronising = 0;
  for (const PathStep& step : report.path) {
    const double time = step.end - step.begin;
    if (step.kind == PathStep::Kind::own) own += time;
    if (step.kind == PathStep::Kind::message) messages += time;
    if (step.kind == PathStep::Kind::barrier || step.kind == PathStep::Kind::pair)
      synchronising += time;
    blocked += step.blocked;
  }
  std::string text = fmt::format(
      "slowest path, {} pieces{}: {:.1f} us of sending and working, {:.1f} us of waiting for "
      "messages ({:.1f} us of it blocked), {:.1f} us of synchronising\n",
      report.path.size(), report.path_whole ? "" : " (its beginning was not kept)", own, messages,
      blocked, synchronising);
  const std::size_t shown = std::min(report.path.size(), most_path_steps);
  if (shown < report.path.size()) text += fmt::format("  the last {} of them:\n", shown);
  for (std::size_t i = report.path.size() - shown; i < report.path.size(); ++i)
    text += text_of(setting, report.path[i]);
  return text;
}

simulate::RankTime mean_of(const Report& report) {
  simulate::RankTime mean;
  const double share = 1 / static_cast<double>(report.ranks.size());
  for (const simulate::RankTime& rank : report.ranks) {
    mean.sending += rank.sending * share;
    mean.receiving += rank.receiving * share;
    mean.combining += rank.combining * share;
    mean.copying += rank.copying * share;
    mean.waiting += rank.waiting * share;
  }
  return mean;
}

std::string ranks_text(const Setting& setting, const Report& report) {
  const auto by_end = [](const simulate::RankTime& a, const simulate::RankTime& b) {
    return a.end < b.end;
  };
  const auto [first, last] = std::minmax_element(report.ranks.begin(), report.ranks.end(), by_end);
  const simulate::RankTime mean = mean_of(report);
  return fmt::format(
      "{} end between {:.1f} us (rank {}) and {:.1f} us (rank {}); on average they send for "
      "{:.1f} us, receive for {:.1f} us, combine for {:.1f} us, copy for {:.1f} us and wait for "
      "{:.1f} us\n",
      setting.streams.empty() ? "ranks" : "processors", first->end,
      node_name(setting, static_cast<int>(first - report.ranks.begin())), last->end,
      node_name(setting, static_cast<int>(last - report.ranks.begin())), mean.sending,
      mean.receiving, mean.combining, mean.copying, mean.waiting);
}

std::string links_text(const Setting& setting, const Report& report) {
  std::string text;
  for (const int link : busiest_links(report, most_links)) {
    const simulate::LinkUse& use = report.links[static_cast<std::size_t>(link)];
    text +=
        fmt::format("  {}: busy for {:.1f} us, {} messages, {} bytes, {} contentions\n",
                    link_name(setting, link), use.busy, use.messages, use.bytes, use.contentions);
  }
  return text.empty() ? text : "busiest links\n" + text;
}

}  // namespace

std::string link_name(const Setting& setting, int index) {
  const machine::Topology& topology = *setting.machine.network.topology;
  if (setting.machine.network.switching == machine::Switching::bus) return "bus";
  return index < topology.links() ? machine::to_text(topology, topology.link_at(index)) : "port";
}

std::string title_of(const Setting& setting) {
  return fmt::format(
      "{} on {}, {}, {} ranks{}",
      setting.file.empty() ? schedule::to_text(setting.operation) : setting.file,
      setting.machine.name, setting.machine.network.topology->name(), setting.ranks,
      setting.streams.empty() ? "" : fmt::format(" with {} processors", setting.streams.size()));
}

std::string sweep_text(const std::vector<SimulateResult>& results) {
  std::string text;
  for (const SimulateResult& result : results) {
    text += fmt::format(
        "{}{}; bytes of the whole vector{}{}\n", text.empty() ? "" : "\n", title_of(result.setting),
        is_cut_by_rank(result.setting.operation) ? " and of a block" : "",
        result.setting.runs > 1
            ? fmt::format("; {} runs from seed {}", result.setting.runs, result.setting.seed)
            : "");
    text += table_of(result);
  }
  return text;
}

std::string replays_text(const std::vector<SimulateResult>& results) {
  Table table(
      "machine<19; topology<17; time us>12.1f; x best>6; send %>6.1f; wait %>6.1f; contentions>11; "
      "waited us>10.1f");
  const auto outcome = [](const SimulateResult& result) -> const Outcome& {
    return result.outcomes.front();
  };
  double best = std::numeric_limits<double>::infinity();
  for (const SimulateResult& result : results) best = std::min(best, outcome(result).mean);
  for (const SimulateResult& result : results) {
    const Report& report = outcome(result).report;
    const simulate::RankTime mean = mean_of(report);
    const double percent = report.time > 0 ? 100 / report.time : 0;
    Table::Row cells = {result.setting.machine.name,
                        result.setting.machine.network.topology->name(),
                        report.time,
                        best > 0 ? fmt::format("{:.2f}", report.time / best) : "-",
                        mean.sending * percent,
                        mean.waiting * percent,
                        report.contentions,
                        report.waited};
    if (report.time == best)
      table.add_best(std::move(cells));
    else
      table.add(std::move(cells));
  }
  const Setting& setting = results.front().setting;
  const Report& report = outcome(results.front()).report;
  const auto& left_out = outcome(results.front()).left_out;
  const std::string notes = left_out ? notes_on(*left_out) : "";
  return fmt::format("{}, {} ranks: {} messages, {} bytes\n{}{}", setting.file, setting.ranks,
                     report.messages, report.bytes, table.text(), notes);
}

std::string outcome_text(const Setting& setting, const Outcome& outcome) {
  const Report& report = outcome.report;
  const Extent& extent = outcome.extent;
  std::string text =
      setting.file.empty()
          ? fmt::format("{}: {}, {} bytes, {} in a block{}\n", title_of(setting), outcome.name,
                        extent.bytes, extent.block, synchronised(outcome.sync))
          : fmt::format("{}{}\n", title_of(setting), synchronised(outcome.sync));
  text += fmt::format("time {:.1f} us", report.time);
  if (setting.runs > 1)
    text += fmt::format(" with seed {}; {} runs: {:.1f} to {:.1f}, mean {:.1f} us", setting.seed,
                        setting.runs, outcome.least, outcome.most, outcome.mean);
  if (outcome.formula)
    text +=
        fmt::format("; by the formula {:.1f} us, ratio {}", *outcome.formula, ratio_of(outcome));
  text += fmt::format("\n{} messages, {} bytes", report.messages, report.bytes);
  if (report.controls > 0) text += fmt::format(", {} requests and answers", report.controls);
  text += fmt::format(
      "\n{}{}{}contentions: {}, {:.1f} us waited; {} messages waited {:.1f} us for the port of a "
      "node\n",
      ranks_text(setting, report), path_text(setting, report), links_text(setting, report),
      report.contentions, report.waited, report.port_waits, report.port_waited);
  for (const simulate::Contention& contention : report.worst)
    text += fmt::format("  {}\n", simulate::to_text(contention, setting.machine));
  return text + (outcome.left_out ? notes_on(*outcome.left_out) : "");
}

}  // namespace tutti::tools
