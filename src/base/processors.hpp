// SPDX-License-Identifier: BSD-3-Clause
// Counts the processors that this machine or container lets a job use. Engine, choices, interfaces
// and commands all ask here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tutti::base {

// Processors this process may use: min(affinity, cgroup v2 cpu.max or v1 cfs quota), at least 1.
[[nodiscard]] std::uint32_t usable_cpus();
// Number of processors that the control groups alone allow, at least 1.
[[nodiscard]] std::uint32_t cpu_quota();
// Returns the processor seconds used by the control group that cpu_quota() comes from. Returns
// nothing where no group sets a limit, or the system does not tell.
[[nodiscard]] std::optional<double> seconds_of_quota();
// Returns the numbers of the processors on which this thread may run: its affinity mask, which lies
// within the cpuset.
[[nodiscard]] std::vector<int> own_processors();
// Returns the processors that are online, but no more than the control groups allow. An MPI binds
// each rank to one processor; this is the number for all its ranks together.
[[nodiscard]] std::uint32_t unbound_cpus();

}  // namespace tutti::base
