// SPDX-License-Identifier: BSD-3-Clause
// The shared segment of one host of a job that MPI has started, and the segment of a process that
// shares nothing. Membership and the failure monitor use it.
#pragma once

#include "launch/descriptor.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

// Makes or opens the segment of this host; collective over the job. The lowest rank of each host
// makes it, the others map it. If one rank fails, all throw Error.
[[nodiscard]] transport::shm::Mapping share_segment(const transport::wire::WireJob& job);

// Makes the segment of a process of an open job. Throws Error.
[[nodiscard]] transport::shm::Mapping private_segment();

// Open the segment of another process of this machine, which has it open as `descriptor`. Both
// throw Error(system_error).
[[nodiscard]] Descriptor find_segment(int pid, int descriptor);
[[nodiscard]] transport::shm::Mapping open_segment(int pid, int descriptor);

}  // namespace tutti::launch
