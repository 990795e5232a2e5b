// SPDX-License-Identifier: BSD-3-Clause
// Collects the problems of all ranks.
#include "launch/attempt.hpp"

#include <algorithm>

namespace tutti::launch {

int first_failed(const std::vector<Attempt>& all) {
  const auto failed =
      std::ranges::find_if(all, [](const Attempt& one) { return one.problem[0] != 0; });
  return failed == all.end() ? -1 : static_cast<int>(failed - all.begin());
}

void agree(const transport::wire::WireJob& job, const Attempt& mine) {
  const std::vector<Attempt> all = job.gather_all(mine);
  const int rank = first_failed(all);
  if (rank < 0) return;
  base::fail(base::Status::system_error, "rank {}: {}", rank,
             all[static_cast<std::size_t>(rank)].problem);
}

}  // namespace tutti::launch
