// SPDX-License-Identifier: BSD-3-Clause
// Runs a spare process. An MPI process cannot become another program, so a task is a child of the
// supervisor and knows nothing of MPI.
#include "launch/spare.hpp"

#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "launch/attempt.hpp"
#include "launch/mpi_segment.hpp"
#include "launch/output.hpp"
#include "launch/pool.hpp"
#include "launch/signals.hpp"
#include "launch/supervisor.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using transport::wire::Role;
using transport::wire::WireJob;

constexpr int usage_error = 2;

// Joins the job. The signals that the supervisor handles must be blocked before MPI starts threads,
// because one of the threads would get them.
std::unique_ptr<WireJob> join_as_spare() {
  static_cast<void>(take_over_signals());
  auto job = WireJob::of_environment(Role::spare);
  if (job == nullptr) {
    base::fail(base::Status::invalid_argument,
               "this process was not started by an MPI: spare ranks stand beside a program, as in "
               "mpirun -n 1 PROGRAM : -n 4 tutti spare");
  }
  return job;
}

// Ends this process after a failure, which the supervisor has reported. MPI ends the other
// processes.
[[noreturn]] void end_job(const WireJob& job, const Outcome& outcome) {
  if (!outcome.reason.empty()) {
    wait_until_read(STDERR_FILENO);
    job.abort(outcome.exit_code);
  }
  ::_exit(outcome.exit_code);
}

int supervise_tasks(const WireJob& job, const Descriptor& segment, SupervisorOptions options) {
  Mapping mapping = Mapping::open(segment.get());
  options.name = "tutti spare";
  options.stdin_rank = -1;
  options.segment = segment.get();
  Supervisor supervisor(mapping, std::move(options));
  const Outcome outcome = supervisor.run();
  if (outcome.cut_short) end_job(job, outcome);
  return outcome.exit_code;
}

// Stays connected to the supervisor until that closes the connection. A short job may have ended
// before this process connects; then it returns at once.
void hold_place(const Pool& pool, const SignalSettings& signals) {
  signals.restore();
  try {
    const Descriptor supervisor = connect_unnamed(pool.address);
    continue_at_end(supervisor.get());
    if (!send_message(supervisor.get(), {ControlKind::stand_by, -1})) return;
    while (receive_message(supervisor.get())) continue;
  } catch (const base::Error&) {
    return;
  }
}

// Ends this process if another spare one has a problem. That one says why, and has time for it
// before this end makes the launcher end all. MPI_Finalize would wait for that one.
[[noreturn]] void end_after_others() {
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ::_exit(usage_error);
}

int serve(const WireJob& job, const SignalSettings& signals, OperationName operation_name) {
  const Listener listener = listen_unnamed();
  const PoolMeeting meeting(job, listener);
  const Pool& pool = meeting.pool();
  const bool supervises = pool.supervisor == job.job_rank() && pool.host >= 0;
  Descriptor segment;
  const bool all_can = meeting.agree(attempt([&] {
    if (supervises) segment = find_segment(pool.segment_pid, pool.segment);
  }));
  if (!all_can) end_after_others();
  if (supervises) {
    SupervisorOptions options;
    options.operation_name = operation_name;
    options.job_socket = listener.socket.get();
    options.pool = pool;
    options.signals = signals;
    return supervise_tasks(job, segment, std::move(options));
  }
  if (pool.host >= 0) hold_place(pool, signals);
  return 0;
}

}  // namespace

int serve_as_spare(OperationName operation_name) {
  const SignalSettings signals;
  const auto job = join_as_spare();
  int code = 0;
  if (job->job_size() > job->size()) {
    code = serve(*job, signals, operation_name);
  } else {
    code = usage_error;
    if (job->job_rank() == 0) {
      write_all(STDERR_FILENO,
                "tutti spare: all processes of the job are spare: start a program beside them, as "
                "in mpirun -n 1 PROGRAM : -n 4 tutti spare\n");
    }
  }
  job->end();
  signals.restore();
  return code;
}

}  // namespace tutti::launch
