// SPDX-License-Identifier: BSD-3-Clause
// Implements neighbours and routes of meshes and tori.
#include "machine/mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>
#include <utility>

namespace tutti::machine {

Topology::Counts Mesh::counts(const std::vector<int>& extents) {
  const int nodes = std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>());
  return {nodes, 2 * static_cast<int>(extents.size()), nodes, nodes};
}

Mesh::Mesh(std::vector<int> extents, Border border)
    : Topology(counts(extents)), extents_(std::move(extents)), border_(border) {
  strides_.assign(extents_.size(), 1);
  for (std::size_t k = extents_.size() - 1; k > 0; --k) strides_[k - 1] = strides_[k] * extents_[k];
}

std::string Mesh::name() const {
  const bool joined = border_ == Border::joined;
  const char* kind =
      extents_.size() == 1 ? (joined ? "ring" : "line") : (joined ? "torus" : "mesh");
  return fmt::format("{}:{}", kind, fmt::join(extents_, "x"));
}

bool Mesh::has(Link link) const {
  const int dimension = link.port / 2, index = index_in(dimension, link.node),
            n = extent(dimension);
  const bool inside = link.port % 2 == 0 ? index > 0 : index + 1 < n;
  return inside || (border_ == Border::joined && n > 2);
}

Ends Mesh::ends(Link link) const {
  const int dimension = link.port / 2, index = index_in(dimension, link.node),
            n = extent(dimension);
  const int next = (index + (link.port % 2 == 0 ? n - 1 : 1)) % n;
  return {link.node, link.node + (next - index) * stride(dimension)};
}

int Mesh::direction(int dimension, int from, int to) const {
  const int n = extent(dimension), up = (to - from + n) % n;
  if (border_ == Border::joined && n > 2) return 2 * up <= n ? 1 : -1;
  return from < to ? 1 : -1;
}

void Mesh::route_into(int from, int to, Route& out) const {
  out.clear();
  int at = from;
  for (int k = static_cast<int>(extents_.size()) - 1; k >= 0; --k) {
    int index = index_in(k, from);
    const int n = extent(k), goal = index_in(k, to), way = direction(k, index, goal);
    while (index != goal) {
      out.push_back({at, 2 * k + (way > 0 ? 1 : 0)});
      const int next = (index + way + n) % n;
      at += (next - index) * stride(k);
      index = next;
    }
  }
}

}  // namespace tutti::machine
