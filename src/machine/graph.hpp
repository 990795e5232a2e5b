// SPDX-License-Identifier: BSD-3-Clause
// Any network, given by lists of vertices, links and routes (graph_file.hpp reads them). A route
// that is not listed is a shortest one. If several next vertices are equally good, it takes the one
// that was listed first.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "machine/topology.hpp"

namespace tutti::machine {

class Graph : public Topology {
 public:
  static constexpr int most_vertices = 4096;  // memory use is nodes times vertices

  struct Description {
    std::string name;                 // text that parse_topology reads
    std::vector<std::string> labels;  // nodes first, then switches
    int nodes = 0;
    std::vector<Ends> links;  // all different, none from a vertex to itself
    // All vertices of a route, by source and destination.
    std::map<std::pair<int, int>, std::vector<int>> routes;
  };

  // Routes must use links of the description. The caller checks that all nodes can reach each
  // other.
  explicit Graph(Description description);

  // Returns a pair of nodes without a path from the first to the second, or {-1, -1}.
  [[nodiscard]] Ends unreachable() const;

  [[nodiscard]] std::string name() const override { return description_.name; }
  [[nodiscard]] std::vector<int> extents() const override { return {nodes()}; }
  [[nodiscard]] bool has(Link link) const override { return ends_[at(link)].from >= 0; }
  [[nodiscard]] Ends ends(Link link) const override { return ends_[at(link)]; }
  void route_into(int from, int to, Route& out) const override;
  [[nodiscard]] std::string label(int vertex) const override;
  [[nodiscard]] int node(std::string_view text) const override;

 private:
  struct Exit {
    int to;
    Link link;
  };

  [[nodiscard]] static Counts counts(const Description& description);
  [[nodiscard]] std::size_t at(Link link) const { return static_cast<std::size_t>(index(link)); }
  [[nodiscard]] const Exit& exit_to(int from, int to) const;
  void place_links();
  // Fills the exits of all vertices towards one destination.
  void search(int destination, const std::vector<std::vector<int>>& entries);

  Description description_;
  std::size_t width_ = 0;                 // length of the longest label of a node
  std::vector<Ends> ends_;                // indexed by index()
  std::vector<std::vector<Exit>> exits_;  // exits of each vertex
  // The exit to take, by destination and vertex; -1 if none leads there.
  std::vector<std::int16_t> choice_;
};

}  // namespace tutti::machine
