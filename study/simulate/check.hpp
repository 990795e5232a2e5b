// SPDX-License-Identifier: BSD-3-Clause
// Checks that a job makes sense, before it is simulated.
#pragma once

#include "simulate/job.hpp"

namespace tutti::simulate {

// Throws Error(invalid_argument) that names the phase and the operation.
void check(const SimulatedJob& job, int nodes);

// Checks that so many nodes have their places on the machine. Throws Error(invalid_argument).
void check_hosts(const JobHosts& hosts, int nodes, int nodes_of_machine);

[[nodiscard]] schedule::Buffers buffers_of(const JobOperation& operation);

}  // namespace tutti::simulate
