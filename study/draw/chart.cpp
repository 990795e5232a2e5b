// SPDX-License-Identifier: BSD-3-Clause
// Finds the rows of a chart.
#include "draw/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tutti::draw {
namespace {

using machine::Topology;
using traffic::Message;
using traffic::Messages;

bool all_exchanges(const Messages& messages) {
  std::multiset<std::tuple<int, int, int>> there, back;
  for (const Message& message : messages) {
    there.insert({message.step, message.from, message.to});
    back.insert({message.step, message.to, message.from});
  }
  return !messages.empty() && there == back;
}

// Returns true if no message uses a link of a node in the other half.
bool splits_in_halves(const Messages& messages, int nodes) {
  if (nodes < 2 || nodes % 2 != 0) return false;
  const auto upper = [&](int node) { return node >= nodes / 2; };
  return std::all_of(messages.begin(), messages.end(), [&](const Message& m) {
    return std::all_of(m.route.begin(), m.route.end(),
                       [&](machine::Link link) { return upper(link.node) == upper(m.from); });
  });
}

using Pair = std::pair<int, int>;

class Rows {
 public:
  Rows(const Messages& messages, const Topology& topology, bool exchanges)
      : topology_(topology), exchanges_(exchanges) {
    for (const Message& message : messages) {
      const auto [low, high] = std::minmax(message.from, message.to);
      const Pair pair = exchanges ? Pair{low, high} : Pair{message.from, message.to};
      std::vector<int>& links = found_[pair][message.step];
      for (const machine::Link link : message.route) links.push_back(topology.index(link));
    }
  }

  // A pair without messages has an empty row. A pair with several messages has a row for each step.
  std::vector<Chart::Row> of(int from) const {
    std::vector<Chart::Row> rows;
    for (int to = exchanges_ ? from + 1 : 0; to < topology_.nodes(); ++to) {
      const std::string label = fmt::format("{}{}{}", topology_.label(from),
                                            exchanges_ ? "--" : "->", topology_.label(to));
      const auto pair = found_.find({from, to});
      if (pair == found_.end()) {
        rows.push_back({label, {}, 0});
        continue;
      }
      for (const auto& [step, links] : pair->second) rows.push_back({label, links, step});
    }
    return rows;
  }

 private:
  const Topology& topology_;
  bool exchanges_;
  std::map<Pair, std::map<int, std::vector<int>>> found_;
};

}  // namespace

Chart chart_of(const Messages& messages, const Topology& topology, Marks marks) {
  Chart chart;
  chart.marks = marks;
  chart.steps = traffic::last_step(messages);
  chart.exchanges = marks == Marks::schedule && all_exchanges(messages);
  const int nodes = topology.nodes();
  const Rows rows(messages, topology, chart.exchanges);
  const bool direct =
      topology.owners() == nodes;  // the topology has no switches with links of their own
  const int halves = !chart.exchanges && direct && splits_in_halves(messages, nodes) ? 2 : 1;
  for (int half = 0; half < halves; ++half) {
    const int first = half * nodes / halves, last = (half + 1) * nodes / halves - 1;
    const int first_column = halves == 1 ? 0 : first,
              last_column = halves == 1 ? topology.owners() - 1 : last;
    std::vector<Chart::Group>& groups = chart.halves.emplace_back();
    for (int from = first; from <= last; ++from)
      groups.push_back({rows.of(from), first_column, last_column});
  }
  return chart;
}

}  // namespace tutti::draw
