// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: its charts of the complete exchange, drawn from our schedules and compared mark for
// mark. Step counts and the constraints that make a chart a schedule are here too.
#include <fmt/format.h>

#include <sstream>

#include "draw/chart.hpp"
#include "draw/svg.hpp"
#include "machine/topology.hpp"
#include "papers/common/drawn_rounds.hpp"
#include "papers/common/formulas.hpp"
#include "papers/common/runs.hpp"
#include "support/request.hpp"
#include "traffic/constraints.hpp"
#include "traffic/load.hpp"

namespace tutti::papers {
namespace exchange_charts_items {
namespace {

using schedule::Operation;
using traffic::Messages;

// Messages of the naive algorithm take their paths as they become free; the others keep their
// rounds.
Messages scheduled(const std::string& algorithm, const machine::Topology& cube) {
  const schedule::Generator& generator = algorithm_named(Operation::alltoall, algorithm);
  Messages messages = traffic::messages_of(generator, {.p = cube.nodes()});
  return algorithm == "naive" ? traffic::granted(messages, cube)
                              : traffic::routed(std::move(messages), cube);
}

std::string drawn(const Messages& messages, const machine::Topology& cube, draw::Marks marks) {
  return draw::to_text(draw::chart_of(messages, cube, marks), cube);
}

// The chart as text, and as a picture.
void add_chart(Result& result, const Item& item, const Messages& messages,
               const machine::Topology& cube, draw::Marks marks) {
  result.picture = drawn(messages, cube, marks);
  add_drawing(result, item,
              draw::chart_svg(draw::chart_of(messages, cube, marks), cube, item.subject));
}

int different_lines(const std::string& one, const std::string& other) {
  std::istringstream a(one), b(other);
  std::string left, right;
  int different = 0;
  while (true) {
    const bool more = static_cast<bool>(std::getline(a, left));
    const bool other_more = static_cast<bool>(std::getline(b, right));
    if (!more && !other_more) return different;
    if (more != other_more || left != right) ++different;
  }
}

void compare(Result& result, const std::string& what, const std::string& theirs,
             const std::string& ours) {
  result.row(what + ": bytes", static_cast<double>(theirs.size()), static_cast<double>(ours.size()),
             "", "chart drawn from the schedule", exact());
  result.row(what + ": lines that differ", 0.0, static_cast<double>(different_lines(theirs, ours)),
             "", "compared byte for byte", exact());
}

Result figure_5(const Item& item) {
  const auto cube = machine::parse_topology("hypercube:3");
  const Messages all =
      traffic::routed(traffic::pairs_of(Operation::alltoall, {.p = cube->nodes()}), *cube);
  Result result;
  add_chart(result, item, all, *cube, draw::Marks::usage);
  compare(result, "figure 5", chart("fig5"), result.picture);
  return result;
}

Result schedule_chart(const Item& item, const std::string& algorithm) {
  const auto cube = machine::parse_topology("hypercube:3");
  const Messages messages = scheduled(algorithm, *cube);
  Result result;
  add_chart(result, item, messages, *cube, draw::Marks::schedule);
  compare(result, fmt::format("figure {}, {}", item.number, algorithm), chart("fig" + item.number),
          result.picture);
  result.row("links with two messages in a step", 0.0,
             static_cast<double>(traffic::conflicts(messages).size()), "", "loads of links",
             exact());
  return result;
}

Result figure_6(const Item& item) {
  return schedule_chart(item, "naive");
}
Result figure_7(const Item& item) {
  return schedule_chart(item, "linear");
}
Result figure_9(const Item& item) {
  return schedule_chart(item, "stable");
}

// The figure in the paper differs from the result of the procedure printed above it.
Result figure_8(const Item& item) {
  const auto cube = machine::parse_topology("hypercube:3");
  Result result;
  add_chart(result, item, scheduled("pairwise", *cube), *cube, draw::Marks::schedule);
  compare(result, "figure 8 against procedure pairwise", chart("fig8_as_printed"), result.picture);
  compare(result, "figure 8 against the circle schedule", chart("fig8_as_printed"),
          drawn(scheduled("circle", *cube), *cube, draw::Marks::schedule));
  for (const char* algorithm : {"pairwise", "circle"}) {
    // The printed figure is that of the circle.
    const auto found = traffic::conflicts(scheduled(algorithm, *cube));
    result.row(fmt::format("{}: links with two messages in a step", algorithm), 0.0,
               static_cast<double>(found.size()), "", "loads of links", exact());
    for (const auto& conflict : found)
      result.notes.push_back(traffic::to_text(conflict, *cube) + ".");
  }
  result.within_paper_from(0);
  result.notes.emplace_back(
      "The printed figure is the round-robin schedule i + j = 2k mod 7, not partner = number XOR "
      "k, and has the conflict above, which the text says it has not. The picture is the "
      "procedure's.");
  return result;
}

Result steps(const Item& item) {
  Result result;
  for (int dimension = 2; dimension <= 7; ++dimension) {
    const auto cube = machine::parse_topology(fmt::format("hypercube:{}", dimension));
    const selection::Variables variables{{"p", cube->nodes()}};
    for (const auto& [algorithm, formula] : item.printed.all()) {
      result.row(
          fmt::format("{}, {} nodes", algorithm, cube->nodes()),
          number_by(std::get<std::string>(formula), "steps", variables),
          static_cast<double>(traffic::last_step(scheduled(algorithm, *cube))), "steps",
          algorithm == "naive" ? "paths granted, the lowest rank first" : "rounds of the schedule",
          exact());
    }
  }
  result.notes.emplace_back(
      "The naive algorithm takes its steps only if a node may receive any number of messages at "
      "once; with one at a time it would take 2n - 3.");
  return result;
}

Result constraints(const Item&) {
  Result result;
  const auto cube = machine::parse_topology("hypercube:3");
  const Messages wanted = traffic::pairs_of(Operation::alltoall, {.p = cube->nodes()});
  for (const char* algorithm : {"naive", "linear", "pairwise", "stable", "circle"}) {
    const auto broken = traffic::violations(scheduled(algorithm, *cube), wanted, *cube,
                                            traffic::Receiving::any_number);
    const bool printed_as_schedule = std::string_view(algorithm) != "circle";
    result.row(fmt::format("{}: constraints broken", algorithm),
               printed_as_schedule ? Value(0.0) : Value(), static_cast<double>(broken.size()), "",
               "checker of `tutti verify`", exact());
    for (const std::string& sentence : broken)
      result.notes.push_back(fmt::format("{}: {}.", algorithm, sentence));
  }
  result.row("stable: fewest steps between two uses of a link", 2.0,
             static_cast<double>(traffic::least_gap(scheduled("stable", *cube))), "steps",
             "loads of links", exact());
  return result;
}

constexpr Run runs[] = {
    {"004-figure-5", figure_5},           {"004-figure-6", figure_6}, {"004-figure-7", figure_7},
    {"004-figure-8", figure_8},           {"004-figure-9", figure_9}, {"004-steps", steps},
    {"004-table-section-3", constraints},
};

}  // namespace
}  // namespace exchange_charts_items

std::span<const Run> exchange_charts() {
  return exchange_charts_items::runs;
}

}  // namespace tutti::papers
