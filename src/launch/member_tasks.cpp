// SPDX-License-Identifier: BSD-3-Clause
// The requests of a process to the supervisor of tasks: to start tasks, to send them signals, and
// to tolerate their deaths.
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>

#include "base/error.hpp"
#include "launch/exit_state.hpp"
#include "launch/member.hpp"
#include "launch/pool.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

using transport::shm::DeathPolicy;

std::vector<int> Membership::spawn(const SpawnRequest& request, int output,
                                   OperationName operation_name) {
  if (job_ != nullptr) {
    if (job_->is_open())
      base::fail(base::Status::invalid_argument, "tasks of a PVM are started by pvm_spawn");
    if (!pool_.valid() || job_->hosts().count() > 1) refuse_tasks(*job_);
  }
  const std::string bytes = request.pack();
  if (bytes.size() > most_payload) {
    base::fail(base::Status::invalid_argument,
               "the arguments of the tasks have {} bytes, but {} fit", bytes.size(), most_payload);
  }
  if (job_ == nullptr) get_supervisor(operation_name);
  if (::fcntl(output, F_GETFD) < 0) output = -1;
  if (send_message(supervisor(), {ControlKind::spawn, endpoint()}, output, bytes)) {
    const auto answer = receive_or_end(supervisor());
    if (answer && answer->message.kind == ControlKind::spawned) {
      SpawnAnswer unpacked = SpawnAnswer::unpack(answer->payload);
      if (unpacked.status != base::Status::ok) throw base::Error(unpacked.status, unpacked.text);
      return std::move(unpacked.endpoints);
    }
  }
  base::fail(base::Status::job_ended, "no task can be started: the launcher has ended");
}

void Membership::signal(int id, int signal) {
  if (job_ != nullptr && job_->is_open()) {
    base::fail(base::Status::invalid_argument, "tasks of a PVM are sent signals by pvm_sendsig");
  }
  if (transport::shm::lost(mapping_, id)) transport::shm::fail_departed(mapping_, id);
  if (id == id_) {
    if (::kill(::getpid(), signal) != 0) base::fail_errno("sending this process a signal");
    return;
  }
  const SignalRequest request{id, signal};
  if (!send_message(supervisor(), {ControlKind::signal, endpoint()}, -1, request.pack())) {
    base::fail(base::Status::job_ended, "no signal can be sent: the launcher has ended");
  }
}

bool Membership::tolerates_deaths() const {
  return mapping_.header().policy == DeathPolicy::tolerant;
}

void Membership::tolerate_deaths() {
  if (tolerates_deaths()) return;
  const bool of_tasks = pool_.valid();  // MPI decides what the death of a rank means
  if (!of_tasks && (launched() || world_size() != 1)) {
    base::fail(
        base::Status::invalid_argument,
        "this process is one of a job that was started with another rule (TUTTI_DEATHS=together)");
  }
  mapping_.header().policy = DeathPolicy::tolerant;
}

}  // namespace tutti::launch
