// SPDX-License-Identifier: BSD-3-Clause
// The hypercube with e-cube routing: a message corrects the bits in which two labels differ from
// right to left (paper 004, section 2).
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Port k changes the k-th bit of the label from the left, which is the order of columns in the
// charts of paper 004.
class Hypercube : public Topology {
 public:
  explicit Hypercube(int dimensions)
      : Topology({1 << dimensions, dimensions, 1 << dimensions, 1 << dimensions}),
        dimensions_(dimensions) {}

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override;
  [[nodiscard]] bool has(Link) const override { return true; }
  [[nodiscard]] Ends ends(Link link) const override {
    return {link.node, link.node ^ bit(link.port)};
  }
  void route_into(int from, int to, Route& out) const override;
  // The label is binary.
  [[nodiscard]] std::string label(int vertex) const override;

 private:
  [[nodiscard]] int bit(int port) const { return 1 << (dimensions_ - 1 - port); }

  int dimensions_;
};

}  // namespace tutti::machine
