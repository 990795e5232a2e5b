// SPDX-License-Identifier: BSD-3-Clause
// How large a job of this process can be. It asks what starts jobs, and verbs that start none
// only print it.
#pragma once

namespace tutti::tools {

// Returns how many ranks a job may have here; 0 where no processes are started.
[[nodiscard]] int most_ranks_of_a_job();

}  // namespace tutti::tools
