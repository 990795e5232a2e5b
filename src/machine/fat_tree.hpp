// SPDX-License-Identifier: BSD-3-Clause
// Fat trees give every vertex several parents, so that the bandwidth need not shrink towards the
// root. A message climbs to the lowest level that has its destination below it, and has one path
// down from there.
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Level 0 has the nodes. A switch of level l has children[l-1] children, and a vertex of level l
// has parents[l] parents. In a k-ary n-tree, every switch has k children and k parents, and a node
// has one parent. The destination alone determines which parent a message takes: the digits of its
// number choose, lowest first. So messages to different nodes spread over the parents, and those to
// one node meet early.
//
// Port j leads to the j-th parent, port parents + j comes from it.
class FatTree : public Topology {
 public:
  struct Shape {
    std::vector<int> children;
    std::vector<int> parents;  // one entry for each of `children`; the first is for nodes
  };

  explicit FatTree(Shape shape);

  // Returns a shape without loss of bandwidth: a node has one parent, and a switch has as many
  // parents as children.
  [[nodiscard]] static Shape full(std::vector<int> children);

  // Returns the number of vertices and links, counted without overflow; numbers above `most` become
  // most + 1.
  [[nodiscard]] static long long vertices_of(const Shape& shape, long long most);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return {nodes()}; }
  [[nodiscard]] bool has(Link link) const override;
  [[nodiscard]] Ends ends(Link link) const override;
  void route_into(int from, int to, Route& out) const override;
  // The label of a switch is "level.number".
  [[nodiscard]] std::string label(int vertex) const override;

 private:
  struct Level {
    int first;  // number of the first vertex
    int vertices;
    int below;     // nodes below one vertex
    int copies;    // vertices with the same nodes below them
    int children;  // number for each vertex
    int parents;   // number for each vertex
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
