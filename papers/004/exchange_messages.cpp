// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: what its text says of routes, of schedules without conflicts, and of the messages of
// the standard exchange, for several dimensions of the hypercube.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "machine/topology.hpp"
#include "papers/common/runs.hpp"
#include "support/request.hpp"
#include "traffic/load.hpp"

namespace tutti::papers {
namespace exchange_messages_items {
namespace {

using machine::Topology;
using schedule::Operation;
using traffic::Message;
using traffic::Messages;

constexpr const char* of_schedule = "messages of the schedule";
constexpr const char* of_routes = "e-cube routes of the topology";
constexpr int largest_dimension = 7;

std::unique_ptr<Topology> cube_of(int dimension) {
  return machine::parse_topology(fmt::format("hypercube:{}", dimension));
}

Messages messages_on(const Topology& cube, const char* algorithm) {
  const schedule::Generator& generator = algorithm_named(Operation::alltoall, algorithm);
  return traffic::routed(traffic::messages_of(generator, {.p = cube.nodes()}), cube);
}

// ---- section 3 ----

// Tells if a message takes a link between two nodes of the half in which it does not begin.
bool crosses_back(const Topology& cube, const Message& message) {
  const int half = cube.nodes() / 2;
  const bool low = message.from < half;
  return std::any_of(message.route.begin(), message.route.end(), [&](machine::Link link) {
    const machine::Ends ends = cube.ends(link);
    return (ends.from < half) != low && (ends.to < half) != low;
  });
}

Result section_3(const Item&) {
  Result result;
  for (int d = 3; d <= largest_dimension; ++d) {
    const auto cube = cube_of(d);
    const Messages all =
        traffic::routed(traffic::pairs_of(Operation::alltoall, {.p = cube->nodes()}), *cube);
    const auto found = std::count_if(all.begin(), all.end(), [&](const Message& message) {
      return crosses_back(*cube, message);
    });
    result.row(fmt::format("d = {}: messages with a link inside of the other half", d), 0.0,
               static_cast<double>(found), "", of_routes, exact());
  }
  return result;
}

// ---- section 4.1 ----

// Tells if each message has its answer in the same step.
bool in_pairs(const Messages& messages) {
  std::set<std::tuple<int, int, int>> all;
  for (const Message& message : messages) all.insert({message.step, message.from, message.to});
  return std::all_of(all.begin(), all.end(), [&](const auto& one) {
    return all.contains({std::get<0>(one), std::get<2>(one), std::get<1>(one)});
  });
}

Result section_4_1(const Item&) {
  Result result;
  for (int d = 2; d <= largest_dimension; ++d) {
    const auto cube = cube_of(d);
    for (const char* algorithm : {"linear", "pairwise"}) {
      const Messages messages = messages_on(*cube, algorithm);
      const std::string label = fmt::format("d = {}, {}: ", d, algorithm);
      result.row(label + "links with two messages in a step", 0.0,
                 static_cast<double>(traffic::conflicts(messages).size()), "", of_schedule,
                 exact());
      result.row(label + "steps", cube->nodes() - 1.0,
                 static_cast<double>(traffic::last_step(messages)), "", of_schedule, exact());
    }
    result.says(fmt::format("d = {}, pairwise: each step consists of exchanges in pairs", d),
                in_pairs(messages_on(*cube, "pairwise")), of_schedule);
  }
  return result;
}

// ---- section 4.2 ----

// The steps in which the last link of the message from one node to another is used.
std::set<int> steps_of_last_link(const Messages& messages, int from, int to) {
  const auto same_pair = [&](const Message& m) { return m.from == from && m.to == to; };
  const machine::Link link =
      std::find_if(messages.begin(), messages.end(), same_pair)->route.back();
  std::set<int> steps;
  for (const Message& message : messages)
    if (std::find(message.route.begin(), message.route.end(), link) != message.route.end())
      steps.insert(message.step);
  return steps;
}

std::string path_of(const Topology& cube, const Messages& messages, int from, int to) {
  for (const Message& message : messages)
    if (message.from == from && message.to == to) return machine::to_text(cube, message.route);
  return "none";
}

// The example of the text: 010->111, and the next message on its last link, 001->111.
void add_example(Result& result, const Item& item) {
  const auto cube = cube_of(3);
  const Messages messages = messages_on(*cube, "stable");
  const int from = cube->node(item.printed.text("from")), to = cube->node(item.printed.text("to"));
  const int next_from = cube->node(item.printed.text("next_from"));
  const std::set<int> steps = steps_of_last_link(messages, from, to);
  const auto step_of = [&](int source) {
    return std::find_if(messages.begin(), messages.end(),
                        [&](const Message& m) { return m.from == source && m.to == to; })
        ->step;
  };
  result.row("path of 010->111", item.printed.text("path"), path_of(*cube, messages, from, to), "",
             of_routes);
  result.row("step of 010->111", item.printed.number("step"), static_cast<double>(step_of(from)),
             "", of_schedule, exact());
  const auto next = steps.upper_bound(step_of(from));
  result.row("next step of its last link", item.printed.number("next_step"),
             next == steps.end() ? Value() : Value(static_cast<double>(*next)), "", of_schedule,
             exact());
  result.row("step of 001->111, which uses this link", item.printed.number("next_step"),
             static_cast<double>(step_of(next_from)), "", of_schedule, exact());
}

Result section_4_2(const Item& item) {
  Result result;
  add_example(result, item);
  for (int d = 2; d <= largest_dimension; ++d) {
    const auto cube = cube_of(d);
    const Messages messages = messages_on(*cube, "stable");
    result.says(fmt::format("d = {}: no link is used in two consecutive steps", d),
                traffic::least_gap(messages) >= 2, of_schedule);
    result.row(fmt::format("d = {}: links with two messages in a step", d), 0.0,
               static_cast<double>(traffic::conflicts(messages).size()), "", of_schedule, exact());
    for (const char* other : {"linear", "pairwise"})
      result.row(fmt::format("d = {}, {}: fewest steps between two uses of a link", d, other), {},
                 static_cast<double>(traffic::least_gap(messages_on(*cube, other))), "steps",
                 of_schedule);
  }
  return result;
}

// ---- section 4.3 ----

Result section_4_3(const Item&) {
  Result result;
  for (int d = 2; d <= largest_dimension; ++d) {
    const auto cube = cube_of(d);
    const double n = cube->nodes();
    const Messages standard = messages_on(*cube, "standard");
    double blocks = 0;
    std::int64_t least = standard.front().blocks, most = least;
    std::size_t links = 0;
    for (const Message& message : standard) {
      blocks += static_cast<double>(message.blocks);
      least = std::min(least, message.blocks);
      most = std::max(most, message.blocks);
      links = std::max(links, message.route.size());
    }
    const auto row = [&](const char* what, double theirs, double ours) {
      result.row(fmt::format("d = {}, standard: {}", d, what), theirs, ours, "", of_schedule,
                 exact());
    };
    row("messages of a node", d, static_cast<double>(standard.size()) / n);
    row("blocks of the shortest message", n / 2, static_cast<double>(least));
    row("blocks of the longest message", n / 2, static_cast<double>(most));
    row("blocks that a node sends", n / 2 * d, blocks / n);
    row("links of the longest path", 1, static_cast<double>(links));
    row("links with two messages in a step", 0,
        static_cast<double>(traffic::conflicts(standard).size()));
    for (const char* other : {"linear", "pairwise", "stable"}) {
      const Messages messages = messages_on(*cube, other);
      result.row(fmt::format("d = {}, {}: blocks that a node sends", d, other), n - 1,
                 static_cast<double>(messages.size()) / n, "", of_schedule, exact());
    }
  }
  return result;
}

constexpr Run runs[] = {{"004-section-3", section_3},
                        {"004-section-4.1", section_4_1},
                        {"004-section-4.2", section_4_2},
                        {"004-section-4.3", section_4_3}};

}  // namespace
}  // namespace exchange_messages_items

std::span<const Run> exchange_messages() {
  return exchange_messages_items::runs;
}

}  // namespace tutti::papers
