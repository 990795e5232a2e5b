// SPDX-License-Identifier: BSD-3-Clause
// The nodes of an NX program: the processes of the job, numbered as the ranks of its world. A
// process joins at its first call of NX.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>
#include <vector>

namespace tutti::nx {

class Nodes {
 public:
  // Joins the job. Throws CallFailure.
  Nodes();

  // The group for collectives. A blocking call of one node may meet a started one of another there.
  [[nodiscard]] tutti_group all() const { return all_; }
  [[nodiscard]] int self() const { return self_; }
  [[nodiscard]] int count() const { return static_cast<int>(endpoints_.size()); }
  // Returns the endpoint of a node. Throws CallFailure if there is no such node.
  [[nodiscard]] int endpoint(long node) const {
    if (node < 0 || node >= count()) [[unlikely]]
      reject(node);
    return endpoints_[static_cast<std::size_t>(node)];
  }
  // The endpoints of all nodes but this one.
  [[nodiscard]] const std::vector<int>& others() const { return others_; }
  [[nodiscard]] int node_of(int endpoint) const;

  // The type of this process, which its messages carry. It told the processes of one node apart.
  [[nodiscard]] long ptype() const { return ptype_; }
  void set_ptype(long ptype);

 private:
  [[nodiscard]] std::int64_t part_of_buffer() const;
  [[noreturn]] void reject(long node) const;

  tutti_group all_{0};
  int self_ = 0;
  long ptype_ = 0;
  std::vector<int> endpoints_;
  std::vector<int> others_;
};

// Returns the nodes, and joins the job at the first call. Throws CallFailure.
[[nodiscard]] Nodes& nodes();

}  // namespace tutti::nx
