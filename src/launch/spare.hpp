// SPDX-License-Identifier: BSD-3-Clause
// Spare processes of a job that MPI has started. The first one on each machine is the supervisor of
// the tasks there: it starts each of them on the processors of one of the others, or of its own,
// and stays its parent. The others only hold their places.
#pragma once

#include "launch/outcome.hpp"

namespace tutti::launch {

// Joins the job as a spare process and returns, with its exit code, when the ranks and the tasks
// have ended. Collective over the job. Takes over the signals of this process. Throws Error; does
// not return when a failure ends the job.
[[nodiscard]] int serve_as_spare(OperationName operation_name);

}  // namespace tutti::launch
