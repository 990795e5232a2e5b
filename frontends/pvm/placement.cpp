// SPDX-License-Identifier: BSD-3-Clause
// Sorts the members of a group by host, and reorders vectors between instances and ranks.
#include "placement.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>

#include "core.hpp"

namespace tutti::pvm {

int GroupPlacement::rank_of(int tid) const {
  return static_cast<int>(std::find(tids.begin(), tids.end(), tid) - tids.begin());
}

void GroupPlacement::to_ranks(std::byte* by_rank, const std::byte* by_instance,
                              std::size_t bytes) const {
  for (std::size_t rank = 0; rank < place.size(); ++rank) {
    std::memcpy(by_rank + rank * bytes, by_instance + static_cast<std::size_t>(place[rank]) * bytes,
                bytes);
  }
}

void GroupPlacement::to_instances(std::byte* by_instance, const std::byte* by_rank,
                                  std::size_t bytes) const {
  for (std::size_t rank = 0; rank < place.size(); ++rank) {
    std::memcpy(by_instance + static_cast<std::size_t>(place[rank]) * bytes, by_rank + rank * bytes,
                bytes);
  }
}

bool GroupPlacement::in_order() const {
  return std::is_sorted(place.begin(), place.end());
}

GroupPlacement placed(const GroupMembers& members) {
  std::vector<int> present;
  for (const int tid : members.tids) {
    if (tid != 0) present.push_back(tid);
  }
  GroupPlacement out;
  out.place.resize(present.size());
  std::iota(out.place.begin(), out.place.end(), 0);
  const auto host = [&](int place) {
    return tutti_pvm_host(present[static_cast<std::size_t>(place)]);
  };
  const bool several = std::any_of(out.place.begin(), out.place.end(),
                                   [&](int place) { return host(place) != host(0); });
  if (several) {
    const auto key = [&](int place) {
      return std::tuple(host(place), present[static_cast<std::size_t>(place)]);
    };
    std::sort(out.place.begin(), out.place.end(), [&](int a, int b) { return key(a) < key(b); });
  }
  for (const int place : out.place) {
    const bool first_of_host = out.tids.empty() || tutti_pvm_host(out.tids.back()) != host(place);
    if (several && first_of_host) out.hosts.push_back(0);
    if (several) ++out.hosts.back();
    out.tids.push_back(present[static_cast<std::size_t>(place)]);
  }
  return out;
}

}  // namespace tutti::pvm
