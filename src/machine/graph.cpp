// SPDX-License-Identifier: BSD-3-Clause
// Assigns links to vertices, and finds shortest routes by breadth-first search backwards from every
// destination.
#include "machine/graph.hpp"

#include <algorithm>

namespace tutti::machine {
namespace {

// Chooses as the owner of each link the end that owns fewer links so far. A switch with many links
// then does not lengthen the port list of every vertex. A vertex may own one link more than its
// share.
std::vector<int> owners_of(const std::vector<Ends>& links, std::size_t vertices) {
  std::vector<int> owned(vertices), degree(vertices), owners;
  for (const Ends& link : links) {
    ++degree[static_cast<std::size_t>(link.from)];
    ++degree[static_cast<std::size_t>(link.to)];
  }
  const auto burden = [&](int vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    return std::pair(owned[v], degree[v]);
  };
  for (const Ends& link : links) {
    owners.push_back(burden(link.from) <= burden(link.to) ? link.from : link.to);
    ++owned[static_cast<std::size_t>(owners.back())];
  }
  return owners;
}

}  // namespace

Topology::Counts Graph::counts(const Description& description) {
  const auto vertices = static_cast<int>(description.labels.size());
  std::vector<int> owned(description.labels.size());
  int ports = 0;
  for (const int owner : owners_of(description.links, owned.size()))
    ports = std::max(ports, ++owned[static_cast<std::size_t>(owner)]);
  return {description.nodes, ports, vertices, vertices};
}

Graph::Graph(Description description)
    : Topology(counts(description)), description_(std::move(description)) {
  for (int node = 0; node < nodes(); ++node)
    width_ = std::max(width_, description_.labels[static_cast<std::size_t>(node)].size());
  place_links();
  const auto n = static_cast<std::size_t>(vertices());
  std::vector<std::vector<int>> entries(n);
  for (const Ends& link : description_.links)
    entries[static_cast<std::size_t>(link.to)].push_back(link.from);
  choice_.assign(static_cast<std::size_t>(nodes()) * n, -1);
  for (int node = 0; node < nodes(); ++node) search(node, entries);
}

void Graph::place_links() {
  const auto n = static_cast<std::size_t>(vertices());
  ends_.assign(static_cast<std::size_t>(links()), {-1, -1});
  exits_.resize(n);
  std::vector<int> next(n);
  const std::vector<int> owners = owners_of(description_.links, n);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const Ends& link = description_.links[i];
    const Link placed{owners[i], next[static_cast<std::size_t>(owners[i])]++};
    ends_[at(placed)] = link;
    exits_[static_cast<std::size_t>(link.from)].push_back({link.to, placed});
  }
  for (auto& exits : exits_)
    std::sort(exits.begin(), exits.end(), [](const Exit& a, const Exit& b) { return a.to < b.to; });
}

void Graph::search(int destination, const std::vector<std::vector<int>>& entries) {
  std::vector<int> distance(exits_.size(), -1);
  std::vector<int> queue{destination};
  distance[static_cast<std::size_t>(destination)] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto here = static_cast<std::size_t>(queue[i]);
    for (const int from : entries[here]) {
      if (distance[static_cast<std::size_t>(from)] >= 0) continue;
      distance[static_cast<std::size_t>(from)] = distance[here] + 1;
      queue.push_back(from);
    }
  }
  std::int16_t* const choice = &choice_[static_cast<std::size_t>(destination) * exits_.size()];
  for (std::size_t i = 1; i < queue.size(); ++i) {
    const auto here = static_cast<std::size_t>(queue[i]);
    const auto closer =
        std::find_if(exits_[here].begin(), exits_[here].end(), [&](const Exit& exit) {
          return distance[static_cast<std::size_t>(exit.to)] == distance[here] - 1;
        });
    choice[here] = static_cast<std::int16_t>(closer - exits_[here].begin());
  }
}

Ends Graph::unreachable() const {
  for (int from = 0; from < nodes(); ++from) {
    for (int to = 0; to < nodes(); ++to) {
      const bool listed = description_.routes.find({from, to}) != description_.routes.end();
      const std::size_t index =
          static_cast<std::size_t>(to) * exits_.size() + static_cast<std::size_t>(from);
      if (from != to && !listed && choice_[index] < 0) return {from, to};
    }
  }
  return {-1, -1};
}

const Graph::Exit& Graph::exit_to(int from, int to) const {
  const auto& exits = exits_[static_cast<std::size_t>(from)];
  return *std::lower_bound(exits.begin(), exits.end(), to,
                           [](const Exit& exit, int key) { return exit.to < key; });
}

void Graph::route_into(int from, int to, Route& out) const {
  out.clear();
  if (from == to) return;
  const auto listed = description_.routes.find({from, to});
  if (listed != description_.routes.end()) {
    const std::vector<int>& path = listed->second;
    for (std::size_t i = 1; i < path.size(); ++i) out.push_back(exit_to(path[i - 1], path[i]).link);
    return;
  }
  const std::int16_t* const choice = &choice_[static_cast<std::size_t>(to) * exits_.size()];
  for (int at = from; at != to;) {
    const auto here = static_cast<std::size_t>(at);
    const Exit& exit = exits_[here][static_cast<std::size_t>(choice[here])];
    out.push_back(exit.link);
    at = exit.to;
  }
}

// Labels of nodes are padded with blanks to the same length.
std::string Graph::label(int vertex) const {
  const std::string& label = description_.labels[static_cast<std::size_t>(vertex)];
  if (vertex >= nodes()) return label;
  return label + std::string(width_ - label.size(), ' ');
}

int Graph::node(std::string_view text) const {
  const auto end = description_.labels.begin() + nodes();
  const auto found =
      std::find(description_.labels.begin(), end, text.substr(0, text.find_last_not_of(' ') + 1));
  return found == end ? -1 : static_cast<int>(found - description_.labels.begin());
}

}  // namespace tutti::machine
