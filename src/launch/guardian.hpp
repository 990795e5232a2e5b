// SPDX-License-Identifier: BSD-3-Clause
// The judge of a world that a program starts by itself (docs/design.md, "Judge and guardian").
#pragma once

#include "launch/descriptor.hpp"
#include "launch/door.hpp"
#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

struct GuardedWorld {
  transport::shm::Mapping mapping;
  Descriptor control;  // of rank 0, which is this process
};

// Forks the guardian, which starts ranks 1 ... n - 1 as copies of this program and watches this
// process as rank 0. Returns in this process only.
[[nodiscard]] GuardedWorld start_guardian(int n, transport::shm::DeathPolicy policy,
                                          OperationName operation_name);

// Likewise for a job of one that is to start tasks: its memory stays. Returns its control socket.
// With a door, others come in by it until the job has ended.
[[nodiscard]] Descriptor start_guardian(transport::shm::Mapping& mapping,
                                        OperationName operation_name, Door* door = nullptr);

}  // namespace tutti::launch
