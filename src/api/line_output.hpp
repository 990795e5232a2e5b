// SPDX-License-Identifier: BSD-3-Clause
// The output of several processes in one file or pipe is cut at the ends of lines.
#pragma once

#include "launch/member.hpp"

namespace tutti::api {

// Makes stdout line buffered where this process shares it with others of its job and the program
// has neither written to it nor set its buffer.
void cut_output_at_lines(const launch::Membership& membership);

}  // namespace tutti::api
