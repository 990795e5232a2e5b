// SPDX-License-Identifier: BSD-3-Clause
// The self-started supervisor: a program that starts its own world makes a process of it
// (docs/internals/supervisor.md). Membership uses it.
#pragma once

#include <functional>

#include "launch/descriptor.hpp"
#include "launch/helper_process.hpp"
#include "launch/outcome.hpp"
#include "launch/rendezvous.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

struct SelfStartedWorld {
  transport::shm::Mapping mapping;
  Descriptor control;  // control socket of rank 0, which is this process
};

// Called with this process's end of the control socket before there is a supervisor. From the
// moment that one exists, it may end this process, because another rank may fail at once.
using ExpectEnd = std::function<void(int)>;

// Starts the supervisor, which starts ranks 1 ... n - 1 as copies of this program and watches this
// process as rank 0. Returns in this process only.
[[nodiscard]] SelfStartedWorld start_self_supervision(int n, transport::shm::DeathPolicy policy,
                                                      OperationName operation_name,
                                                      const ExpectEnd& expect_end);

// Starts a supervisor for a job of one that is to start tasks; the job keeps its memory. Returns
// the job's control socket. Other processes can join by the job socket, if there is one, until the
// job has ended.
[[nodiscard]] Descriptor start_self_supervision(transport::shm::Mapping& mapping,
                                                OperationName operation_name,
                                                const ExpectEnd& expect_end,
                                                Rendezvous* job_socket = nullptr);

extern const HelperKind self_started_supervisor;

}  // namespace tutti::launch
