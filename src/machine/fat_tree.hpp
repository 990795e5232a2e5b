// SPDX-License-Identifier: BSD-3-Clause
// Fat trees: every vertex has several parents, so that the bandwidth need not shrink towards the
// root. A message climbs to the lowest level that has its destination below it, and from there has
// one way down.
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Level 0 are the nodes. A switch of level l has children[l-1] children, a vertex of level l has
// parents[l] parents. A k-ary n-tree has k children everywhere and one parent of a node, k parents
// of a switch. A message takes a parent that depends on its destination alone: the digits
// of the destination's number choose, lowest first. So messages to different nodes spread over the
// parents, and those to one node meet early.
//
// Port j leads to the j-th parent, port parents + j comes from it.
class FatTree : public Topology {
 public:
  struct Shape {
    std::vector<int> children;
    std::vector<int> parents;  // as many; of nodes first
  };

  explicit FatTree(Shape shape);

  // One parent of a node; above, as many parents as children, so that no level has less bandwidth
  // than another.
  [[nodiscard]] static Shape full(std::vector<int> children);

  // Vertices and links, as far as they can be counted without overflow; more than `most` count as
  // most + 1.
  [[nodiscard]] static long long vertices_of(const Shape& shape, long long most);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return {nodes()}; }
  [[nodiscard]] bool has(Link link) const override;
  [[nodiscard]] Ends ends(Link link) const override;
  void route_into(int from, int to, Route& out) const override;
  // Switches are "level.number".
  [[nodiscard]] std::string label(int vertex) const override;

 private:
  struct Level {
    int first;  // vertex
    int vertices;
    int below;     // nodes below one vertex
    int copies;    // vertices with the same nodes below them
    int children;  // of one vertex
    int parents;   // of one vertex
  };

  [[nodiscard]] static Counts counts(const Shape& shape);
  [[nodiscard]] static std::vector<Level> levels(const Shape& shape);
  [[nodiscard]] const Level& level(int number) const {
    return levels_[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] int level_of(int vertex) const;

  Shape shape_;
  std::vector<Level> levels_;
};

}  // namespace tutti::machine
