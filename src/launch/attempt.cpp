// SPDX-License-Identifier: BSD-3-Clause
// Collects the problems of all ranks.
#include "launch/attempt.hpp"

#include <algorithm>

namespace tutti::launch {

void agree(const transport::wire::WireJob& job, const Attempt& mine) {
  const auto all = job.gather_all(mine);
  const auto failed =
      std::ranges::find_if(all, [](const Attempt& one) { return one.problem[0] != 0; });
  if (failed == all.end()) return;
  base::fail(base::Status::system_error, "rank {}: {}", failed - all.begin(), failed->problem);
}

}  // namespace tutti::launch
