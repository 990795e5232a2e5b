// SPDX-License-Identifier: BSD-3-Clause
// The requests of a process to the supervisor of tasks, and its answers. Membership uses them.
#pragma once

#include <vector>

#include "launch/spawn.hpp"

namespace tutti::launch {

// Asks at this control socket for tasks whose parent is this endpoint. `output` becomes their
// stdout if it is open. Returns their endpoints. Throws Error.
[[nodiscard]] std::vector<int> request_tasks(int supervisor, int endpoint,
                                             const SpawnRequest& request, int output);
// Throws Error(job_ended).
void request_signal(int supervisor, int endpoint, const SignalRequest& request);

}  // namespace tutti::launch
