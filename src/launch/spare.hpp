// SPDX-License-Identifier: BSD-3-Clause
// Spare processes of a job that MPI has started; `tutti spare` runs one. The first one on each
// machine supervises the tasks there. It starts each task on the processors of one spare process
// and stays its parent. The others only hold their places.
#pragma once

#include "launch/outcome.hpp"

namespace tutti::launch {

// Joins the job as a spare process. Returns its exit code when the ranks and the tasks have ended.
// Collective over the job. Takes over the signals of this process. Throws Error; does not return if
// a failure ends the job.
[[nodiscard]] int serve_as_spare(OperationName operation_name);

}  // namespace tutti::launch
