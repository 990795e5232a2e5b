// SPDX-License-Identifier: BSD-3-Clause
// Implements fat trees. Vertices of a level are numbered first by the nodes below them: vertex =
// first + group * copies + copy. The j-th parent of the copy c is the copy c + j * copies of the
// group above.
#include "machine/fat_tree.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace tutti::machine {

FatTree::FatTree(Shape shape)
    : Topology(counts(shape)), shape_(std::move(shape)), levels_(levels(shape_)) {}

FatTree::Shape FatTree::full(std::vector<int> children) {
  std::vector<int> parents{1};
  parents.insert(parents.end(), children.begin(), children.end() - 1);
  return {std::move(children), std::move(parents)};
}

long long FatTree::vertices_of(const Shape& shape, long long most) {
  long long nodes = 1;
  for (const int n : shape.children)
    if ((nodes *= n) > most) return most + 1;
  long long all = nodes, groups = nodes, copies = 1;
  for (std::size_t l = 0; l < shape.children.size(); ++l) {
    groups /= shape.children[l];
    if ((copies *= shape.parents[l]) > most) return most + 1;
    if ((all += groups * copies) > most) return most + 1;
  }
  return all;
}

std::vector<FatTree::Level> FatTree::levels(const Shape& shape) {
  int nodes = 1;
  for (const int n : shape.children) nodes *= n;
  std::vector<Level> levels{{0, nodes, 1, 1, 0, shape.parents[0]}};
  for (std::size_t l = 0; l < shape.children.size(); ++l) {
    const Level& lower = levels.back();
    const int below = lower.below * shape.children[l], copies = lower.copies * shape.parents[l];
    const int parents = l + 1 < shape.parents.size() ? shape.parents[l + 1] : 0;
    levels.push_back({lower.first + lower.vertices, nodes / below * copies, below, copies,
                      shape.children[l], parents});
  }
  return levels;
}

Topology::Counts FatTree::counts(const Shape& shape) {
  const std::vector<Level> all = levels(shape);
  const int most = *std::max_element(shape.parents.begin(), shape.parents.end());
  const Level& top = all.back();
  return {all.front().vertices, 2 * most, top.first, top.first + top.vertices};
}

std::string FatTree::name() const {
  const std::string name = fmt::format("fattree:{}", fmt::join(shape_.children, "x"));
  if (shape_.parents == full(shape_.children).parents) return name;
  return fmt::format("{}/{}", name, fmt::join(shape_.parents, "x"));
}

int FatTree::level_of(int vertex) const {
  int number = 0;
  while (vertex >= level(number).first + level(number).vertices) ++number;
  return number;
}

bool FatTree::has(Link link) const {
  return link.port % (ports() / 2) < level(level_of(link.node)).parents;
}

Ends FatTree::ends(Link link) const {
  const int number = level_of(link.node), half = ports() / 2;
  const Level &lower = level(number), &upper = level(number + 1);
  const int group = (link.node - lower.first) / lower.copies,
            copy = (link.node - lower.first) % lower.copies;
  const int parent =
      upper.first + group / upper.children * upper.copies + copy + link.port % half * lower.copies;
  return link.port < half ? Ends{link.node, parent} : Ends{parent, link.node};
}

void FatTree::route_into(int from, int to, Route& out) const {
  out.clear();
  if (from == to) return;
  int top = 0, copy = 0;
  for (; from / level(top).below != to / level(top).below; ++top) {
    const Level& here = level(top);
    const int port = to / here.copies % here.parents;
    out.push_back({here.first + from / here.below * here.copies + copy, port});
    copy += port * here.copies;
  }
  for (int number = top - 1; number >= 0; --number) {
    const Level& lower = level(number);
    const int port = copy / lower.copies;
    copy %= lower.copies;
    out.push_back({lower.first + to / lower.below * lower.copies + copy, ports() / 2 + port});
  }
}

std::string FatTree::label(int vertex) const {
  if (vertex < nodes()) return Topology::label(vertex);
  const int number = level_of(vertex);
  return fmt::format("{}.{}", number, vertex - level(number).first);
}

}  // namespace tutti::machine
