// SPDX-License-Identifier: BSD-3-Clause
// Makes the processes of a job choose plans by the same settings; the Job calls it when a
// process joins. Ranks that choose different plans would wait for each other for ever. So each
// process compares the algorithms it forces with those of the first process, and all use the
// profile and the table of endpoint 0.
#pragma once

#include "launch/member.hpp"
#include "selection/machine_info.hpp"
#include "transport/waiter.hpp"

namespace tutti::job {

// Compares this process's settings with those of its job; called when the process joins. A
// difference ends the job with one report. A process without a launcher gets Error(bad_environment)
// instead.
void agree(launch::Membership& membership, const selection::Policy& policy);

// Returns the machine information of endpoint 0. Waits until that process has joined.
[[nodiscard]] selection::MachineInfo common_machine_info(launch::Membership& membership,
                                                         transport::Waiter& waiter);

}  // namespace tutti::job
