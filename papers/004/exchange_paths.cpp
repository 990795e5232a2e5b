// SPDX-License-Identifier: BSD-3-Clause
// Paper 004: routes in hypercubes of 32 and 128 nodes, and the links that they share.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "machine/topology.hpp"
#include "papers/common/drawn_rounds.hpp"
#include "papers/common/runs.hpp"
#include "traffic/load.hpp"

namespace tutti::papers {
namespace exchange_paths_items {
namespace {

constexpr const char* routed = "e-cube routes of the topology";

std::vector<int> nodes_of(const machine::Topology& cube, int from, int to) {
  std::vector<int> nodes{from};
  for (const machine::Link link : cube.route(from, to)) nodes.push_back(cube.ends(link).to);
  return nodes;
}

std::string text_of(const std::vector<int>& nodes) {
  return fmt::format("{}", fmt::join(nodes, "-"));
}

// Names all links that both paths use, such as "3-7"; "none" if there is none.
std::string shared_edges(const std::vector<int>& one, const std::vector<int>& other) {
  std::string found;
  for (std::size_t i = 1; i < one.size(); ++i) {
    for (std::size_t j = 1; j < other.size(); ++j) {
      if (one[i - 1] == other[j - 1] && one[i] == other[j])
        found += fmt::format("{}{}-{}", found.empty() ? "" : " ", one[i - 1], one[i]);
    }
  }
  return found.empty() ? "none" : found;
}

std::string shared_nodes(const std::vector<int>& one, const std::vector<int>& other) {
  std::string found;
  for (const int node : one) {
    if (std::find(other.begin(), other.end(), node) != other.end())
      found += fmt::format("{}{}", found.empty() ? "" : " ", node);
  }
  return found.empty() ? "none" : found;
}

Result figure_1(const Item& item) {
  Result result;
  const auto cube = machine::parse_topology("hypercube:5");
  std::vector<std::vector<int>> paths;
  traffic::Messages messages;
  for (std::size_t i = 0; i < 3; ++i) {
    const int from = static_cast<int>(item.printed.numbers("from").at(i));
    const int to = static_cast<int>(item.printed.numbers("to").at(i));
    paths.push_back(nodes_of(*cube, from, to));
    messages.push_back({.from = from, .to = to});
    result.row(fmt::format("links from {} to {} ({})", from, to, text_of(paths.back())),
               item.printed.numbers("lengths").at(i), static_cast<double>(paths.back().size() - 1),
               "", routed, exact());
  }
  result.row("edge that the first two share", item.printed.text("shared_edge"),
             shared_edges(paths[0], paths[1]), "", routed);
  result.row("node that the first and the third share", item.printed.text("shared_node"),
             shared_nodes(paths[0], paths[2]), "", routed);
  result.row("edge that the first and the third share", {}, shared_edges(paths[0], paths[2]), "",
             routed);
  add_messages(result, item, traffic::routed(messages, *cube), *cube);
  return result;
}

Result figure_3(const Item& item) {
  Result result;
  const auto cube = machine::parse_topology("hypercube:7");
  traffic::Messages messages;
  for (const std::string& path : item.printed.texts("paths")) {
    const int from = std::stoi(path);
    const int to = std::stoi(path.substr(path.rfind('-') + 1));
    result.row(fmt::format("from {} to {}", from, to), path, text_of(nodes_of(*cube, from, to)), "",
               routed);
    messages.push_back({.from = from, .to = to});
  }
  messages = traffic::routed(messages, *cube);
  const auto load = traffic::loads(messages, *cube).front();
  const machine::Ends ends = cube->ends(load.link);
  result.row("link with most of them", item.printed.text("shared_edge"),
             fmt::format("{}-{}", ends.from, ends.to), "", "loads of links");
  result.row("messages on it", static_cast<double>(messages.size()), static_cast<double>(load.most),
             "", "loads of links", exact());
  add_messages(result, item, messages, *cube);
  return result;
}

constexpr Run runs[] = {
    {"004-figure-1", figure_1},
    {"004-figure-3", figure_3},
};

}  // namespace
}  // namespace exchange_paths_items

std::span<const Run> exchange_paths() {
  return exchange_paths_items::runs;
}

}  // namespace tutti::papers
