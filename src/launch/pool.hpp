// SPDX-License-Identifier: BSD-3-Clause
// The pool of a machine in a job that MPI has started: its spare processes, which run tasks for the
// ranks of that machine. One of them supervises the tasks (spare.hpp).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "launch/attempt.hpp"
#include "launch/descriptor.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

struct Pool {
  int supervisor = -1;  // the first spare process, by its place in the job; -1: none
  int host = -1;        // the lowest rank of the host that is served; -1: the machine has no ranks
  int ranks = 0;        // number of ranks on that host
  int segment_pid = 0, segment = -1;
  std::string address;                   // address of the supervisor's socket
  std::vector<std::vector<int>> spares;  // the processors of each spare process
};

// A socket of this machine with a name that the kernel makes, so that nothing can be left behind.
struct Listener {
  Descriptor socket;
  std::string address;
};
[[nodiscard]] Listener listen_unnamed();
// Connects to a Listener. Throws Error.
[[nodiscard]] Descriptor connect_unnamed(const std::string& address);

// An exchange in which ranks and spare processes learn where each of them is. It happens once and
// is collective over the job.
class PoolMeeting {
 public:
  // Takes part as a rank. `mapping` is nullptr if there is no memory to share and the job is about
  // to fail.
  PoolMeeting(const transport::wire::WireJob& job, const transport::shm::Mapping* mapping);
  // Takes part as a spare process.
  PoolMeeting(const transport::wire::WireJob& job, const Listener& listener);

  // Returns the pool of this machine.
  [[nodiscard]] const Pool& pool() const { return pool_; }
  // On a rank: throws Error if any spare process has a problem.
  void agree() const;
  // On a spare process: throws Error if it has a problem itself. Returns false if another one has.
  [[nodiscard]] bool agree(const Attempt& mine) const;

 private:
  const transport::wire::WireJob* job_;
  Pool pool_;
};

// Returns a socket to the supervisor of this machine's tasks. It is invalid if no spare process
// serves this rank. Collective over the job.
[[nodiscard]] Descriptor join_pool(const transport::wire::WireJob& job,
                                   const transport::shm::Mapping& mapping);

// Throws Error that says why this job can have no tasks.
[[noreturn]] void refuse_tasks(const transport::wire::WireJob& job);

}  // namespace tutti::launch
