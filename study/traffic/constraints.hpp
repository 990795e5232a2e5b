// SPDX-License-Identifier: BSD-3-Clause
// Checks whether messages with steps form a schedule (paper 004, section 3), for any routing.
// `tutti verify` and the reproduced charts use it.
#pragma once

#include <string>
#include <vector>

#include "traffic/message.hpp"

namespace tutti::traffic {

// How many messages a node may receive in a step. In paper 004 it is any number, over several
// links.
enum class Receiving { any_number, one_at_a_time };

// Returns a sentence for each violation, in the order of steps. There are four kinds:
//    A link carries two messages in a step (two marks of a column have one number).
//    A rank sends two messages in a step (two rows of a group have one number).
//    A rank receives two messages in a step, if `receiving` forbids that.
//    A pair of `wanted` has no message or several, or a message is not wanted.
// A Message has one step, so all links of its path are in use in one step; chart_file.hpp checks
// that for charts.
[[nodiscard]] std::vector<std::string> violations(const Messages& schedule, const Messages& wanted,
                                                  const machine::Topology& topology,
                                                  Receiving receiving);

}  // namespace tutti::traffic
