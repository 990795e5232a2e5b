// SPDX-License-Identifier: BSD-3-Clause
// Cuts the output of several processes to one file or pipe at the ends of lines. The state object
// calls it when a process has joined its job.
#pragma once

#include "launch/member.hpp"

namespace tutti::api {

// Makes stdout line buffered if this process shares it with others of its job, and the program has
// neither written to it nor set its buffer.
void cut_output_at_lines(const launch::Membership& membership);

}  // namespace tutti::api
