// SPDX-License-Identifier: BSD-3-Clause
// Any network: vertices, links and routes as they are listed (graph_file.hpp reads them). A route
// that is not listed is a shortest one; of several next vertices it takes the one that was named
// first.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "machine/topology.hpp"

namespace tutti::machine {

class Graph : public Topology {
 public:
  static constexpr int most_vertices = 4096;  // memory is nodes times vertices

  struct Description {
    std::string name;                 // as parse_topology reads it
    std::vector<std::string> labels;  // of nodes, then of switches
    int nodes = 0;
    std::vector<Ends> links;  // no two alike, none from a vertex to itself
    std::map<std::pair<int, int>, std::vector<int>>
        routes;  // by source and destination: all vertices
  };

  // Routes must go along links. The caller checks whether all nodes can be reached.
  explicit Graph(Description description);

  // A pair of nodes without a way from the first to the second; {-1, -1} if there is none.
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
  std::size_t width_ = 0;                 // of the longest label of a node
  std::vector<Ends> ends_;                // by index
  std::vector<std::vector<Exit>> exits_;  // of a vertex, by vertex
  std::vector<std::int16_t>
      choice_;  // by destination and vertex: which exit; -1 if none leads there
};

}  // namespace tutti::machine
