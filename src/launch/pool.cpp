// SPDX-License-Identifier: BSD-3-Clause
// Finds the spare processes of a machine. MPI only tells where everyone is. A rank and the
// supervisor of its machine then use a socket, because a spare process sleeps until it is wanted
// and MPI wakes nobody.
#include "launch/pool.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "launch/rendezvous.hpp"

namespace tutti::launch {
namespace {

using transport::wire::WireJob;

enum class PoolRole : int { rank, spare, none };

struct PoolSeat {
  PoolRole kind = PoolRole::none;
  int machine = -1, pid = 0;
  int host = -1, segment = -1;  // set for ranks only
  int address_bytes = 0;        // set for spare processes only
  char address[16] = "";
  cpu_set_t processors{};
};

PoolSeat pool_seat(const WireJob& job, PoolRole kind) {
  PoolSeat seat;
  seat.kind = kind;
  seat.machine = job.job_machine();
  seat.pid = ::getpid();
  return seat;
}

std::vector<int> list_of(const PoolSeat& seat) {
  std::vector<int> processors;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (CPU_ISSET(static_cast<std::size_t>(processor), &seat.processors))
      processors.push_back(processor);
  }
  return processors;
}

// Returns the pool of a machine. It serves the host of the machine's first rank; other hosts
// that TUTTI_HOSTS pretends on the machine are not served.
Pool pool_of(int machine, const std::vector<PoolSeat>& seats) {
  Pool pool;
  for (const PoolSeat& seat : seats) {
    if (seat.machine != machine || seat.kind == PoolRole::none) continue;
    if (seat.kind == PoolRole::spare) {
      if (pool.supervisor < 0) {
        pool.supervisor = static_cast<int>(&seat - seats.data());
        pool.address.assign(seat.address, static_cast<std::size_t>(seat.address_bytes));
      }
      pool.spares.push_back(list_of(seat));
      continue;
    }
    if (pool.host < 0) pool.host = seat.host;
    if (seat.host != pool.host) continue;
    ++pool.ranks;
    if (seat.segment < 0) continue;
    pool.segment_pid = seat.pid;
    pool.segment = seat.segment;
  }
  return pool;
}

}  // namespace

Listener listen_unnamed() {
  Listener made{LocalAddress().listen(SOCK_SEQPACKET), {}};
  if (made.socket.valid()) made.address = local_name(made.socket);
  if (made.address.empty() || made.address.size() > sizeof PoolSeat::address)
    base::fail_errno("a socket for spare ranks");
  return made;
}

Descriptor connect_unnamed(const std::string& address) {
  Descriptor made = LocalAddress(address).connect(SOCK_SEQPACKET);
  if (!made.valid()) base::fail_errno("reaching the spare ranks of this host");
  return made;
}

PoolMeeting::PoolMeeting(const WireJob& job, const transport::shm::Mapping* mapping) : job_(&job) {
  PoolSeat seat = pool_seat(job, mapping == nullptr ? PoolRole::none : PoolRole::rank);
  seat.host = job.hosts().of(job.rank());
  if (mapping != nullptr) seat.segment = mapping->descriptor();
  pool_ = pool_of(seat.machine, job.gather_job(seat));
}

PoolMeeting::PoolMeeting(const WireJob& job, const Listener& listener) : job_(&job) {
  PoolSeat seat = pool_seat(job, PoolRole::spare);
  seat.address_bytes = static_cast<int>(listener.address.size());
  std::memcpy(seat.address, listener.address.data(),
              std::min(listener.address.size(), sizeof seat.address));
  // Failure is harmless: a task is then not bound to processors.
  ::sched_getaffinity(0, sizeof seat.processors, &seat.processors);
  pool_ = pool_of(seat.machine, job.gather_job(seat));
}

void PoolMeeting::agree() const {
  const std::vector<Attempt> all = job_->gather_job(Attempt{});
  const int bad = first_failed(all);
  if (bad < 0) return;
  base::fail(base::Status::system_error, "process {} of the job, which is spare: {}", bad,
             all[static_cast<std::size_t>(bad)].problem);
}

bool PoolMeeting::agree(const Attempt& mine) const {
  const bool all_can = first_failed(job_->gather_job(mine)) < 0;
  if (mine.problem[0] != 0) base::fail(base::Status::system_error, "{}", mine.problem);
  return all_can;
}

Descriptor join_pool(const WireJob& job, const transport::shm::Mapping& mapping) {
  if (job.job_size() == job.size()) return {};
  const PoolMeeting meeting(job, &mapping);
  meeting.agree();
  const Pool& pool = meeting.pool();
  if (pool.supervisor < 0 || pool.host != job.hosts().of(job.rank())) return {};
  Descriptor supervisor = connect_unnamed(pool.address);
  if (!send_message(supervisor.get(), {ControlKind::enlist, job.rank()})) {
    base::fail(base::Status::job_ended, "the spare ranks of this host have ended");
  }
  return supervisor;
}

void refuse_tasks(const WireJob& job) {
  constexpr const char* advice = "mpirun -n 1 PROGRAM : -n 4 tutti spare";
  if (job.job_size() == job.size()) {
    base::fail(base::Status::no_slot,
               "a job that MPI has started runs tasks on spare ranks, and this one has none: start "
               "it with some, as in {}",
               advice);
  }
  if (job.hosts().count() > 1) {
    base::fail(base::Status::no_slot,
               "tasks share memory with all ranks of the job, and these are on {} hosts: start the "
               "job on one host",
               job.hosts().count());
  }
  base::fail(base::Status::no_slot,
             "no spare rank of the job is on this host: start it with some here, as in {}", advice);
}

}  // namespace tutti::launch
