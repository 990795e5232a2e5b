// SPDX-License-Identifier: BSD-3-Clause
// Ranks that choose by different things choose different plans and wait for each other for ever. So
// a process that joins a job compares what it forces with what the first one forces, and all go by
// the profile and the table of endpoint 0.
#pragma once

#include "launch/member.hpp"
#include "selection/machine_info.hpp"
#include "transport/transport.hpp"

namespace tutti::engine {

// When a process joins. What is wrong ends the job with one report, or is thrown as
// Error(bad_environment) where there is nobody to report it.
void agree(launch::Membership& membership, const selection::Policy& policy);

// What endpoint 0 has found; waits until it has joined.
[[nodiscard]] selection::MachineInfo common_machine_info(launch::Membership& membership,
                                                         transport::Transport& transport);

}  // namespace tutti::engine
