// SPDX-License-Identifier: BSD-3-Clause
// The pool of a machine in a job that MPI has started: its spare processes, which run tasks for the
// ranks that are there. One of them supervises the tasks, see spare.hpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "launch/descriptor.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

struct Pool {
  int supervisor = -1;  // the first spare process, by its place in the job; -1: there is none
  int host = -1;        // the lowest rank of the host that is served; -1: the machine has no ranks
  int ranks = 0;        // of that host
  int segment_pid = 0, segment = -1;
  std::string address;                   // of the supervisor's socket
  std::vector<std::vector<int>> spares;  // the processors of each
};

// A socket of this machine whose name the kernel makes, so that nothing can be left behind.
struct Listener {
  Descriptor socket;
  std::string address;
};
[[nodiscard]] Listener listen_unnamed();
// Throws Error.
[[nodiscard]] Descriptor connect_unnamed(const std::string& address);

// What ranks and spare processes do together, once. Collective over the job.
class PoolMeeting {
 public:
  // Of a rank; nullptr where there is no memory to share, and the job is about to fail.
  PoolMeeting(const transport::wire::WireJob& job, const transport::shm::Mapping* mapping);
  // Of a spare process.
  PoolMeeting(const transport::wire::WireJob& job, const Listener& listener);

  // That of this machine.
  [[nodiscard]] const Pool& pool() const { return pool_; }
  // Throws Error where any spare process has a problem.
  void agree(const std::string& problem = {}) const;

 private:
  const transport::wire::WireJob* job_;
  Pool pool_;
};

// The socket to the supervisor of this machine's tasks. Invalid where nobody serves this rank.
// Collective over the job.
[[nodiscard]] Descriptor join_pool(const transport::wire::WireJob& job,
                                   const transport::shm::Mapping& mapping);

// Says why this job can have no tasks.
[[noreturn]] void refuse_tasks(const transport::wire::WireJob& job);

}  // namespace tutti::launch
