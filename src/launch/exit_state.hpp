// SPDX-License-Identifier: BSD-3-Clause
// The part of a member of a job in its own fork and exit. Membership uses it.
#pragma once

#include <atomic>

#include "transport/shm/segment.hpp"

namespace tutti::launch {

// Values that the fork and exit handlers need.
struct ExitState {
  std::atomic<bool> valid{true};  // false in a forked child
  int death_pipe = -1;            // closed in forked children: it is tied to this process only
  // Gets the exit note; nullptr after the membership was given up.
  transport::shm::Endpoint* endpoint = nullptr;
  int pool = -1;  // closed in forked children
  // Control socket of a process that started its own world; closed in forked children.
  int supervisor = -1;
};

// From now on, the handlers use this state, which must live until forget_at_exit().
void act_at_exit(ExitState& state);
// Does nothing if the handlers use another one.
void forget_at_exit(ExitState& state);

}  // namespace tutti::launch
