// SPDX-License-Identifier: BSD-3-Clause
// The process above the supervisor of `tutti run`. When a supervisor is killed, the kernel ends the
// ranks, but not programs that know nothing of the job, such as those that a shell has started.
// They become children of the reaper, which ends them. When the reaper is killed, the supervisor
// ends the job.
#pragma once

#include "launch/descriptor.hpp"

namespace tutti::launch {

// Splits this process in two and returns in the new one. The process itself stays above as the
// reaper: it passes signals on, and ends as the new one ends. The descriptor that is returned
// becomes readable when the reaper has ended. Throws Error.
[[nodiscard]] Descriptor go_below_reaper();

}  // namespace tutti::launch
