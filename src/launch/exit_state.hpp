// SPDX-License-Identifier: BSD-3-Clause
// The part of a member of a job in its own fork, exit and end. Membership uses it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "launch/descriptor.hpp"
#include "transport/shm/segment.hpp"

namespace tutti::launch {

// Values that the handlers need.
struct ExitState {
  std::atomic<bool> valid{true};  // false in a forked child
  int death_pipe = -1;            // closed in forked children: it is tied to this process only
  // Gets the exit note; nullptr after the membership was given up.
  transport::shm::Endpoint* endpoint = nullptr;
  int pool = -1, monitor = -1;  // closed in forked children
  // Control socket of a process that started its own world; closed in forked children.
  int supervisor = -1;
  std::atomic<ExitState*> next = nullptr;  // in the list of the process
};

// The exit note has the exit code, in the lower half and counted from 1; 0 as long as the process
// does not end. The upper half has bits that stay: note_of_finalize, and this one while the process
// waits until all others leave.
constexpr std::uint32_t code_in_note = 0xffff;
constexpr std::uint32_t note_of_meeting = 1U << 17U;
void note_exit_code(transport::shm::Endpoint& endpoint, int code);
void forget_exit_code(transport::shm::Endpoint& endpoint);

// From now on, the handlers use this state, too, which must live until forget_at_exit(). There is
// one for each job that the process is in.
void act_at_exit(ExitState& state);
// From now on, SIGTERM ends this process with the exit code that the supervisor has sent, if the
// job has ended. A program that treats SIGTERM itself keeps its way.
void end_as_the_job_ends();
// Receives a message of the supervisor, or ends this process if the job has ended. That message
// stays in the socket, where a SIGTERM that comes at the same time finds it.
[[nodiscard]] std::optional<Received> receive_or_end(int supervisor);
// Does nothing if the handlers do not use it.
void forget_at_exit(ExitState& state);

}  // namespace tutti::launch
