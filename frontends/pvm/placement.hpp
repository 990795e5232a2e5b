// SPDX-License-Identifier: BSD-3-Clause
// The ranks that the members of a group have in the runtime (group.hpp uses them). On one host,
// ranks follow instance numbers. On several hosts, ranks are sorted by host and then by task
// identifier, so the first rank of a host is its coordinator.
#pragma once

#include <cstddef>
#include <vector>

#include "membership.hpp"

namespace tutti::pvm {

struct GroupPlacement {
  std::vector<int> tids;   // by rank
  std::vector<int> hosts;  // members of each host; empty if there is one host
  std::vector<int> place;  // by rank: how many members have a lower instance number

  [[nodiscard]] int rank_of(int tid) const;
  // to_ranks and to_instances reorder a vector with a part of `bytes` for each member: from the
  // order of instances to the order of ranks, and back.
  void to_ranks(std::byte* by_rank, const std::byte* by_instance, std::size_t bytes) const;
  void to_instances(std::byte* by_instance, const std::byte* by_rank, std::size_t bytes) const;
  // Returns true if ranks and instances have the same order.
  [[nodiscard]] bool in_order() const;
};

[[nodiscard]] GroupPlacement placed(const GroupMembers& members);

}  // namespace tutti::pvm
