// SPDX-License-Identifier: BSD-3-Clause
// Sends a request and waits for its answer.
#include "launch/task_requests.hpp"

#include <fcntl.h>

#include <utility>

#include "base/error.hpp"
#include "launch/descriptor.hpp"
#include "launch/exit_state.hpp"

namespace tutti::launch {

std::vector<int> request_tasks(int supervisor, int endpoint, const SpawnRequest& request,
                               int output) {
  if (::fcntl(output, F_GETFD) < 0) output = -1;
  if (send_message(supervisor, {ControlKind::spawn, endpoint}, output, request.pack())) {
    const auto answer = receive_or_end(supervisor);
    if (answer && answer->message.kind == ControlKind::spawned) {
      SpawnAnswer unpacked = SpawnAnswer::unpack(answer->payload);
      if (unpacked.status != base::Status::ok) throw base::Error(unpacked.status, unpacked.text);
      return std::move(unpacked.endpoints);
    }
  }
  base::fail(base::Status::job_ended, "no task can be started: the launcher has ended");
}

void request_signal(int supervisor, int endpoint, const SignalRequest& request) {
  if (!send_message(supervisor, {ControlKind::signal, endpoint}, -1, request.pack()))
    base::fail(base::Status::job_ended, "no signal can be sent: the launcher has ended");
}

}  // namespace tutti::launch
