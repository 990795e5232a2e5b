// SPDX-License-Identifier: BSD-3-Clause
// Asks in turn: the environment, MPI's launcher, the job socket.
#include "launch/join.hpp"

#include <poll.h>

#include <cerrno>
#include <utility>

#include "base/environment.hpp"
#include "launch/job_descriptor.hpp"
#include "launch/launchers.hpp"
#include "launch/rendezvous.hpp"
#include "transport/wire/library.hpp"

namespace tutti::launch {

Membership join(OperationName operation_name, transport::GiveUp give_up) {
  if (const auto found = JobDescriptor::from_environment())
    return Membership::attach(*found, give_up);
  if (auto job = transport::wire::WireJob::of_environment())
    return Membership::over_wire(std::move(job), operation_name);
  refuse_other_launcher();
  return Membership::singleton();
}

bool would_join() {
  return JobDescriptor::from_environment().has_value() || transport::wire::wanted().has_value();
}

// If several processes find no job, one of them makes it. The others join that one as soon as it
// listens.
Membership join(std::string_view job_socket, Make make, OperationName operation_name) {
  if (JobDescriptor::from_environment() || base::mpi_launcher()) return join(operation_name);
  for (;;) {
    if (const auto found = JobDescriptor::request(job_socket, program_invocation_name))
      return Membership::attach(*found);
    if (make == Make::no) return join(operation_name);
    if (auto opened = Rendezvous::open(job_socket)) {
      Membership maker = Membership::singleton();
      maker.tolerate_deaths();
      maker.get_supervisor(nullptr, &*opened);
      return maker;
    }
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace tutti::launch
