// SPDX-License-Identifier: BSD-3-Clause
// Finds the job of this process: that of the launcher that has started it, that of a job socket, or
// a job of its own.
#pragma once

#include <string_view>

#include "launch/member.hpp"

namespace tutti::launch {

// Attaches if there is a job descriptor, joins over a wire if MPI has started this process or PVM
// is asked for, and otherwise makes a job of one. Throws Error if another launcher has started it
// as one of several.
[[nodiscard]] Membership join(OperationName operation_name = nullptr,
                              transport::GiveUp give_up = {});
// Returns true if join() finds a job that a launcher has started. Throws Error if the environment
// names one that cannot be joined.
[[nodiscard]] bool would_join();
// Joins like join(operation_name), except that a process that nobody has started becomes a task of
// the job with this job socket. If there is no such job, Make::yes makes one that tolerates deaths.
enum class Make : bool { no, yes };
[[nodiscard]] Membership join(std::string_view job_socket, Make make, OperationName operation_name);

}  // namespace tutti::launch
