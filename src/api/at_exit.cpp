// SPDX-License-Identifier: BSD-3-Clause
// An exit handler that leaves the job (at_exit.hpp). The state stays, because handlers that the
// program has registered before may still free groups and call tutti_finalize.
#include "api/at_exit.hpp"

#include <cstdlib>
#include <exception>

#include "api/inside.hpp"
#include "api/state.hpp"

namespace tutti::api {
namespace {

// Leaves the job as tutti_finalize does. A message that another process did not take is no error
// here, because the program has not asked for that check.
void leave_quietly(ApiState& leaving) {
  try {
    leaving.job.mailbox().close();
    leaving.job.outbox().close();
    leaving.job.leave();
  } catch (const std::exception&) {
    return;
  }
}

// A call that exit() has interrupted, as in a handler of a signal, may be inside of MPI, which can
// then not be finalised. A process with code 0 leaves first, so that those that wait for it learn
// of it. Another one has failed, unless all others end too: the report of its end must come.
void leave(int code, void*) {
  if (process.current == nullptr || is_inside(process.occupant.load(std::memory_order_relaxed)))
    return;
  launch::Membership& membership = process.current->job.membership();
  if (!membership.ends_mpi()) return;
  if (code != 0 && !membership.exit_meeting().await_exits(code)) return;
  leave_quietly(*process.current);
  membership.finalize();
}

}  // namespace

void leave_at_exit() {
  static const int registered = ::on_exit(leave, nullptr);
  static_cast<void>(registered);
}

}  // namespace tutti::api
