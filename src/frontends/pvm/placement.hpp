// SPDX-License-Identifier: BSD-3-Clause
// The ranks that the members of a group have in the runtime. They are those of the instance numbers
// where there is one host. Else ranks go by host and, on a host, by task identifier: then the first
// rank of a host is its coordinator.
#pragma once

#include <cstddef>
#include <vector>

#include "membership.hpp"

namespace tutti::pvm {

struct GroupPlacement {
  std::vector<int> tids;   // by rank
  std::vector<int> hosts;  // members of each; empty where there is one host
  std::vector<int> place;  // by rank: how many members have a lower instance number

  [[nodiscard]] int rank_of(int tid) const;
  // Of vectors with a part of `bytes` for each member: from the order of the instances to that of
  // the ranks, and back.
  void to_ranks(std::byte* by_rank, const std::byte* by_instance, std::size_t bytes) const;
  void to_instances(std::byte* by_instance, const std::byte* by_rank, std::size_t bytes) const;
  // Both orders are the same.
  [[nodiscard]] bool in_order() const;
};

[[nodiscard]] GroupPlacement placed(const GroupMembers& members);

}  // namespace tutti::pvm
