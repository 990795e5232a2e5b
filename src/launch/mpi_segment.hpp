// SPDX-License-Identifier: BSD-3-Clause
// The shared segment of one host of a job that MPI has started, and the segment of a process that
// shares nothing.
#pragma once

#include "launch/descriptor.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

// The lowest rank of each host makes it, the others map it. Collective over the job; if one cannot,
// all throw Error.
[[nodiscard]] transport::shm::Mapping share_segment(const transport::wire::WireJob& job);

// Of a process of an open job. Throws Error.
[[nodiscard]] transport::shm::Mapping private_segment();

// That of another process of this machine, where it is open as that descriptor. Both throw
// Error(system_error).
[[nodiscard]] Descriptor find_segment(int pid, int descriptor);
[[nodiscard]] transport::shm::Mapping open_segment(int pid, int descriptor);

}  // namespace tutti::launch
