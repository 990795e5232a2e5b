// SPDX-License-Identifier: BSD-3-Clause
// Makes topologies from their names.
#include <algorithm>
#include <iterator>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "machine/bus.hpp"
#include "machine/crossbar.hpp"
#include "machine/dragonfly.hpp"
#include "machine/fat_tree.hpp"
#include "machine/graph_file.hpp"
#include "machine/hypercube.hpp"
#include "machine/mesh.hpp"
#include "machine/number_text.hpp"

namespace tutti::machine {
namespace {

constexpr int most_nodes = 1 << 20;
constexpr int most_dimensions = 20;
constexpr long long most_links = 1LL << 26;

[[noreturn]] void not_understood(std::string_view text) {
  static constexpr std::string_view kinds[] = {"line",      "ring",     "mesh", "torus",
                                               "hypercube", "crossbar", "bus",  "fattree",
                                               "dragonfly", "graph"};
  const std::string_view kind = text.substr(0, text.find(':'));
  const bool is_known = std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
  base::fail(
      base::Status::invalid_argument,
      "topology '{}': expected line:N, ring:N, mesh:RxC..., torus:RxC..., hypercube:D, crossbar:N, "
      "bus:N, fattree:KxK...[/PxP...], dragonfly:GROUPSxROUTERSxHOSTS or graph:FILE{}",
      text, is_known ? std::string() : base::did_you_mean(kind, kinds));
}

[[noreturn]] void too_large(std::string_view text) {
  base::fail(base::Status::invalid_argument,
             "topology '{}' is too large: at most {} nodes, {} dimensions or levels and {} links",
             text, most_nodes, most_dimensions, most_links);
}

// Reads "4x8" as {4, 8}.
std::vector<int> extents_of(std::string_view text, std::string_view whole) {
  std::vector<int> extents;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const int extent = number(text.substr(begin, end - begin), 1 << 30);
    if (extent < 1) not_understood(whole);
    extents.push_back(extent);
    if (extents.size() > most_dimensions) too_large(whole);
    begin = end + 1;
  }
  return extents;
}

long long product(const std::vector<int>& extents, std::string_view whole) {
  long long nodes = 1;
  for (const int extent : extents) {
    nodes *= extent;
    if (nodes > most_nodes) too_large(whole);
  }
  return nodes;
}

std::unique_ptr<Topology> mesh(std::string_view size, Mesh::Border border, std::string_view whole) {
  std::vector<int> extents = extents_of(size, whole);
  (void)product(extents, whole);
  return std::make_unique<Mesh>(std::move(extents), border);
}

std::unique_ptr<Topology> fat_tree(std::string_view size, std::string_view whole) {
  const std::size_t slash = std::min(size.find('/'), size.size());
  FatTree::Shape shape = FatTree::full(extents_of(size.substr(0, slash), whole));
  if (slash < size.size()) shape.parents = extents_of(size.substr(slash + 1), whole);
  if (shape.parents.size() != shape.children.size()) not_understood(whole);
  (void)product(shape.children, whole);
  const long long most_parents = *std::max_element(shape.parents.begin(), shape.parents.end());
  const long long vertices = FatTree::vertices_of(shape, 2 * most_nodes);
  if (vertices > 2 * most_nodes || 2 * most_parents * vertices > most_links) too_large(whole);
  return std::make_unique<FatTree>(std::move(shape));
}

std::unique_ptr<Topology> dragonfly(std::string_view size, std::string_view whole) {
  const std::vector<int> extents = extents_of(size, whole);
  if (extents.size() != 3) not_understood(whole);
  const long long vertices = product(extents, whole) + product({extents[0], extents[1]}, whole);
  const long long ports = extents[1] + (extents[0] - 1 + extents[1] - 1) / extents[1];
  if (vertices * ports > most_links) too_large(whole);
  return std::make_unique<Dragonfly>(Dragonfly::Shape{extents[0], extents[1], extents[2]});
}

}  // namespace

std::vector<int> mesh_of(const Topology& topology) {
  const bool mesh = topology.name().starts_with("mesh:") && topology.extents().size() == 2;
  return mesh ? topology.extents() : std::vector<int>{};
}

std::unique_ptr<Topology> parse_topology(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) not_understood(text);
  const std::string_view kind = text.substr(0, colon), size = text.substr(colon + 1);
  if (kind == "mesh") return mesh(size, Mesh::Border::open, text);
  if (kind == "torus") return mesh(size, Mesh::Border::joined, text);
  if (kind == "fattree") return fat_tree(size, text);
  if (kind == "dragonfly") return dragonfly(size, text);
  if (kind == "graph" && !size.empty()) return load_graph(std::string(size));
  const int n = number(size, 1 << 30);
  if (n < (kind == "hypercube" ? 0 : 1)) not_understood(text);
  if (n > (kind == "hypercube" ? most_dimensions : most_nodes)) too_large(text);
  if (kind == "line") return std::make_unique<Mesh>(std::vector{n}, Mesh::Border::open);
  if (kind == "ring") return std::make_unique<Mesh>(std::vector{n}, Mesh::Border::joined);
  if (kind == "hypercube") return std::make_unique<Hypercube>(n);
  if (kind == "crossbar") return std::make_unique<Crossbar>(n);
  if (kind == "bus") return std::make_unique<Bus>(n);
  not_understood(text);
}

}  // namespace tutti::machine
