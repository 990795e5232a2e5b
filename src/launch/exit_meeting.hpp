// SPDX-License-Identifier: BSD-3-Clause
// The processes of a host that MPI has started meet here when they leave their job, and not in
// MPI_Finalize. If one aborts or dies while another one is in MPI_Finalize, PMIx 4.2 may free its
// record of that wait twice, and the launcher of Open MPI 4.1 crashes or never ends.
#pragma once

#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

class ExitMeeting {
 public:
  ExitMeeting(const transport::shm::Mapping& mapping, const transport::wire::WireJob& job,
              transport::shm::Endpoint& own)
      : mapping_(&mapping), job_(&job), own_(&own) {}

  // Lets the others see that this process is in exit(code), where code is not 0, and waits until
  // all of them have left the job or are in exit(), too. Returns false if one of them has died or
  // waits for this process, if they have not ended after a second, or if the job has several hosts.
  [[nodiscard]] bool await_exits(int code) const;
  // Waits until all others have left. Returns false if one of them has aborted or died.
  [[nodiscard]] bool others_leave() const;

 private:
  const transport::shm::Mapping* mapping_;
  const transport::wire::WireJob* job_;
  transport::shm::Endpoint* own_;
};

// Waits until the first process that aborts has said why. An MPI kills it at the next abort or end
// of another one, and drops text that its launcher has not read. A process that was killed before
// it said anything is not waited for longer than a few seconds.
void await_report_of_abort(const transport::shm::Mapping& mapping);

}  // namespace tutti::launch
