// SPDX-License-Identifier: BSD-3-Clause
// The rules that make a numbering of messages a schedule (paper 004, section 3), for any routing.
#pragma once

#include <string>
#include <vector>

#include "traffic/message.hpp"

namespace tutti::traffic {

// Paper 004 lets a node receive on several links at a time.
enum class Receiving { any_number, one_at_a_time };

// Returns the errors, a sentence each, in the order of steps: a link carries two messages in a step
// (two marks of a column have one number); a rank sends two messages in a step (two rows of a group
// have one number), or receives two if that is asked for; a pair of `wanted` has no message or
// several; a message is not wanted. A Message always uses all links of its path in one step;
// chart_file.hpp checks that for charts.
[[nodiscard]] std::vector<std::string> violations(const Messages& schedule, const Messages& wanted,
                                                  const machine::Topology& topology,
                                                  Receiving receiving);

}  // namespace tutti::traffic
