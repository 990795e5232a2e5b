// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: the times of one message and of messages that share a link, simulated on the hypercube
// of 128 nodes.
#include <fmt/format.h>

#include "papers/004/exchange_longest.hpp"
#include "papers/common/runs.hpp"
#include "papers/common/simulated.hpp"

namespace tutti::papers {
namespace exchange_times_items {
namespace {

using draw::Curve;

constexpr const char* simulated = "simulator";

struct Law {
  double alpha, beta, hop;
};

// Fits the model to three simulated messages: 200 and 1000 bytes over one link, and 200 bytes over
// all links.
Law fitted(const machine::Machine& machine) {
  const double near = messages_time(machine, {{0, 1}}, 200);
  const double longer = messages_time(machine, {{0, 1}}, 1000);
  const double far = messages_time(machine, {{0, 127}}, 200);
  const double beta = (longer - near) / 800;
  const double hop = (far - near) / 6;
  return {near - 200 * beta - hop, beta, hop};
}

void compare(Result& result, const std::string& type, const Printed& printed, const Law& law) {
  result.row(type + ", constant", printed.number(type + ".alpha"), law.alpha, "us", simulated);
  result.row(type + ", per byte", printed.number(type + ".beta"), law.beta, "us", simulated);
  result.row(type + ", per link", printed.number(type + ".hop"), law.hop, "us", simulated);
}

double law_at(const Printed& printed, const std::string& type, int links, int bytes) {
  return printed.number(type + ".alpha") + printed.number(type + ".beta") * bytes +
         printed.number(type + ".hop") * links;
}

// The law of the text at some places of the figure, for one link and for seven.
void add_lines(Result& result, const std::string& type, const Printed& printed,
               const machine::Machine& machine) {
  for (const auto& [links, to] : {std::pair{1, 1}, std::pair{7, 127}}) {
    for (const int bytes : {101, 200, 300, 400}) {
      const std::string who = fmt::format("{}, {} link{}", type, links, links == 1 ? "" : "s");
      result.row(fmt::format("{}, {} bytes", who, bytes), law_at(printed, type, links, bytes),
                 messages_time(machine, {{0, to}}, bytes), "us", simulated);
    }
  }
}

// The figure has a curve for each distance and type, which are the same up to 100 bytes. Crosses
// are the law of the text.
Chart plots_of_distances(const Item& item, const machine::Machine& forced,
                         const machine::Machine& unforced) {
  Chart chart{item.name, item.subject, linear_axes("bytes", "us"), {}};
  for (const auto& [type, machine, first] :
       {std::tuple{"forced", &forced, 0}, std::tuple{"unforced", &unforced, 101}}) {
    for (int links = 1; links <= 7; ++links) {
      const std::pair<int, int> far{0, (1 << links) - 1};
      Curve ours{
          fmt::format("{}, {} link{}", type, links, links == 1 ? "" : "s"), {}, Curve::Kind::plain};
      Curve law{"the paper's law", {}, Curve::Kind::crosses};
      for (const int bytes : {0, 100, 101, 200, 300, 400}) {
        if (bytes < first) continue;
        ours.points.push_back({double(bytes), messages_time(*machine, {far}, bytes)});
        if (bytes > 0 && (links == 1 || links == 7))
          law.points.push_back({double(bytes), law_at(item.printed, type, links, bytes)});
      }
      chart.curves.push_back(std::move(ours));
      if (!law.points.empty()) chart.curves.push_back(std::move(law));
    }
  }
  return chart;
}

Result figure_2(const Item& item) {
  Result result;
  const machine::Machine forced = undisturbed(machine::load_machine("ipsc860-forced"));
  const machine::Machine unforced = undisturbed(machine::load_machine("ipsc860"));
  compare(result, "forced", item.printed, fitted(forced));
  compare(result, "unforced", item.printed, fitted(unforced));
  for (const auto& [links, to, key] :
       {std::tuple{1, 1, "zero_near"}, std::tuple{7, 127, "zero_far"}})
    result.row(fmt::format("0 bytes, {} link{}", links, links == 1 ? "" : "s"),
               item.printed.number(key), messages_time(forced, {{0, to}}, 0), "us", simulated);
  add_lines(result, "forced", item.printed, forced);
  add_lines(result, "unforced", item.printed, unforced);
  result.charts.push_back(plots_of_distances(item, forced, unforced));
  for (const int bytes : {100, 101})
    result.row(fmt::format("{} bytes, 1 link, unforced over forced", bytes), {},
               messages_time(unforced, {{0, 1}}, bytes) / messages_time(forced, {{0, 1}}, bytes),
               "", simulated);
  add_parameters(result, unforced);
  result.notes.emplace_back(
      "The law of forced messages is what the machine file has from this paper, so it must come "
      "out again. That of unforced ones follows: two control messages before each message above "
      "100 bytes.");
  result.notes.emplace_back(
      "The law lies above the paper's plots for empty messages, as the paper says.");
  return result;
}

using Pairs = std::vector<std::pair<int, int>>;

// Plot 1 of the figure is path 1 alone, plot 2 has paths 1 and 2, and so on.
Curve plot_of(const machine::Machine& machine, const Pairs& pairs) {
  Curve curve{
      fmt::format("{}: {}", pairs.size(),
                  pairs.size() == 1 ? "path 1" : fmt::format("paths 1 to {}", pairs.size())),
      {},
      Curve::Kind::plain};
  for (int bytes = 0; bytes <= 1000; bytes += 250)
    curve.points.push_back({double(bytes), messages_time(machine, pairs, bytes)});
  return curve;
}

Result figure_4(const Item& item) {
  Result result;
  Chart chart{item.name, item.subject, linear_axes("bytes", "us"), {}};
  const machine::Machine machine = undisturbed(machine::load_machine("ipsc860-forced"));
  Pairs pairs;
  double alone = 0;
  for (const std::string& path : printed("004-figure-3").texts("paths")) {
    pairs.emplace_back(std::stoi(path), std::stoi(path.substr(path.rfind('-') + 1)));
    const double time = messages_time(machine, pairs, 1000);
    if (pairs.size() == 1) alone = time;
    chart.curves.push_back(plot_of(machine, pairs));
    result.row(fmt::format("paths 1 to {}, 1000 bytes", pairs.size()), {}, time, "us", simulated);
    if (pairs.size() == 8) {
      result.row("eight messages over one", item.printed.number("ratio"), time / alone, "",
                 simulated);
      result.says("more than seven times as long", time / alone > item.printed.number("ratio"),
                  simulated);
    }
  }
  result.charts.push_back(std::move(chart));
  machine::Machine shared = machine;
  shared.network.switching = machine::Switching::share_equal;
  shared.network.link_beta = shared.node.beta;
  shared.node.ports = machine::Ports::duplex;
  result.row("eight over one if messages shared the link's bandwidth", {},
             messages_time(shared, pairs, 1000) / messages_time(shared, {pairs.front()}, 1000), "",
             simulated);
  add_parameters(result, machine);
  result.notes.emplace_back(
      "How long a message holds its path is fitted to this very figure: between 51 and 95 us of "
      "its start-up do. That bandwidth is not shared is no fit.");
  return result;
}

constexpr Run runs[] = {
    {"004-figure-2", figure_2},
    {"004-figure-4", figure_4},
};

}  // namespace
}  // namespace exchange_times_items

std::span<const Run> exchange_times() {
  return exchange_times_items::runs;
}

}  // namespace tutti::papers
