// SPDX-License-Identifier: BSD-3-Clause
// Strongly connected components of graphs: circles of waits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tutti::schedule {

// Numbers the strongly connected components of a graph by Tarjan's algorithm, without recursion.
class Components {
 public:
  explicit Components(const std::vector<std::vector<int>>& successors)
      : successors_(successors),
        component_(successors.size(), -1),
        low_(successors.size(), -1),
        entered_(successors.size(), -1),
        next_(successors.size(), 0) {
    for (std::size_t node = 0; node < successors.size(); ++node)
      if (entered_[node] < 0) visit(static_cast<int>(node));
  }
  // Returns the number of each node's component. A successor outside a component has a smaller
  // number.
  [[nodiscard]] const std::vector<int>& of_nodes() const { return component_; }
  [[nodiscard]] int count() const { return components_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  void enter(int node) {
    low_[at(node)] = entered_[at(node)] = clock_++;
    path_.push_back(node);
    open_.push_back(node);
  }

  void visit(int root) {
    enter(root);
    while (!path_.empty()) {
      const int node = path_.back();
      if (next_[at(node)] < successors_[at(node)].size()) {
        const int to = successors_[at(node)][next_[at(node)]++];
        if (entered_[at(to)] < 0) {
          enter(to);
        } else if (component_[at(to)] < 0) {
          low_[at(node)] = std::min(low_[at(node)], entered_[at(to)]);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[at(path_.back())] = std::min(low_[at(path_.back())], low_[at(node)]);
      if (low_[at(node)] == entered_[at(node)]) close(node);
    }
  }

  void close(int first) {
    int node = -1;
    do {
      node = open_.back();
      open_.pop_back();
      component_[at(node)] = components_;
    } while (node != first);
    ++components_;
  }

  const std::vector<std::vector<int>>& successors_;
  std::vector<int> component_, low_, entered_;
  std::vector<std::size_t> next_;
  std::vector<int> path_, open_;
  int clock_ = 0, components_ = 0;
};

}  // namespace tutti::schedule
