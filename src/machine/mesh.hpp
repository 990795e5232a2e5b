// SPDX-License-Identifier: BSD-3-Clause
// Lines, rings, meshes and tori of any number of dimensions with dimension-order routing. A message
// corrects the last index first, so in two dimensions it moves along its row and then along the
// column (XY).
#pragma once

#include "machine/topology.hpp"

namespace tutti::machine {

// Port 2k leads to the next lower index of dimension k, port 2k+1 to the next higher one.
class Mesh : public Topology {
 public:
  // With joined borders, the last node of a row is a neighbour of the first. Messages then take the
  // shorter way around, and the upward one if both are equally long. A dimension of two nodes has
  // one link each way with either border.
  enum class Border { open, joined };

  Mesh(std::vector<int> extents, Border border);

  [[nodiscard]] std::string name() const override;
  [[nodiscard]] std::vector<int> extents() const override { return extents_; }
  [[nodiscard]] bool has(Link link) const override;
  [[nodiscard]] Ends ends(Link link) const override;
  void route_into(int from, int to, Route& out) const override;

 private:
  [[nodiscard]] int extent(int dimension) const {
    return extents_[static_cast<std::size_t>(dimension)];
  }
  [[nodiscard]] int stride(int dimension) const {
    return strides_[static_cast<std::size_t>(dimension)];
  }
  [[nodiscard]] int index_in(int dimension, int node) const {
    return node / stride(dimension) % extent(dimension);
  }
  // Returns +1 or -1, the direction from one index to another.
  [[nodiscard]] int direction(int dimension, int from, int to) const;
  [[nodiscard]] static Counts counts(const std::vector<int>& extents);

  std::vector<int> extents_;
  std::vector<int> strides_;
  Border border_;
};

}  // namespace tutti::machine
