// SPDX-License-Identifier: BSD-3-Clause
// Dragonflies consist of groups of routers. Within a group, every router is linked to every other
// one, and every pair of groups has one link. A message takes the only path that uses no third
// group: router, router with the link, router at its other end, router of the destination.
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Nodes are numbered by group, router and place. The link from group g to group g + 1 + r (mod
// groups) belongs to router r / ceil((groups - 1) / routers) of group g.
//
// Ports of a node: 0 to its router, 1 from it. Ports of a router: to the other routers of its group
// in order, then its links to other groups.
class Dragonfly : public Topology {
 public:
  struct Shape {
    int groups;
    int routers;  // in each group
    int hosts;    // nodes of each router
  };

  explicit Dragonfly(const Shape& shape);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return {nodes()}; }
  [[nodiscard]] bool has(Link link) const override;
  [[nodiscard]] Ends ends(Link link) const override;
  void route_into(int from, int to, Route& out) const override;
  // The label of a router is "group.router".
  [[nodiscard]] std::string label(int vertex) const override;

 private:
  [[nodiscard]] static int links_to_groups(const Shape& shape) {
    return (shape.groups - 1 + shape.routers - 1) / shape.routers;
  }
  [[nodiscard]] static Counts counts(const Shape& shape);
  [[nodiscard]] int router(int group, int number) const {
    return nodes() + group * shape_.routers + number;
  }
  // Returns the router of `group` that has the link to `other`.
  [[nodiscard]] int gateway(int group, int other) const {
    return router(group, way(group, other) / global_);
  }
  // Returns the position of `other` among the groups to which `group` has links.
  [[nodiscard]] int way(int group, int other) const {
    return (other - group - 1 + shape_.groups) % shape_.groups;
  }
  // Appends the link to a router of the same group, or nothing if the routers are the same.
  void add_local(int from, int to, Route& out) const;

  Shape shape_;
  int global_;  // links of a router to other groups
};

}  // namespace tutti::machine
