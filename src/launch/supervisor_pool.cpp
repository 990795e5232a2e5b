// SPDX-License-Identifier: BSD-3-Clause
// The supervisor's part where MPI has started the job. The job's ranks ask for tasks, but are not
// supervised. Each task takes the place of a spare process until it has ended.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "launch/supervisor.hpp"
#include "transport/shm/slots.hpp"

namespace tutti::launch {

void Supervisor::enlist(Received received, Descriptor socket) {
  const int rank = received.message.rank;
  if (received.message.kind == ControlKind::stand_by) standing_by_.push_back(std::move(socket));
  if (received.message.kind != ControlKind::enlist || rank < 0 || is_task(rank)) return;
  Watched& watched = at(rank);
  watched.control = std::move(socket);
  watched.pidfd = pidfd_of_peer(watched.control);
  watch(watched.control.get(), Source::control, rank);
}

// Marks a rank that will make no more requests. The supervisor keeps its socket open; the rank
// learns that the job is over when the socket closes.
void Supervisor::dismiss(int rank) {
  if (!options_.pool || is_task(rank) || at(rank).dismissed) return;
  at(rank).dismissed = true;
  ++dismissed_;
}

bool Supervisor::pool_wanted() const {
  return options_.pool && dismissed_ < options_.pool->ranks;
}

std::vector<int> Supervisor::free_spares() const {
  std::vector<int> free;
  for (int spare = 0; spare < static_cast<int>(options_.pool->spares.size()); ++spare) {
    const bool busy = std::any_of(ranks_.begin(), ranks_.end(), [&](const Watched& one) {
      return one.spare == spare && !one.done();
    });
    if (!busy) free.push_back(spare);
  }
  return free;
}

// Returns false while a request should wait, because tasks that hold spare processes may be about
// to end. A parent that has the results of its tasks may ask for the next ones while the old ones
// are still ending.
bool Supervisor::can_decide(const TaskRequest& request) const {
  const auto waited = Clock::now() - request.asked_at;
  if (!options_.pool || waited > std::chrono::nanoseconds(mapping_.tuning().spare_ends))
    return true;
  const auto wanted = static_cast<std::size_t>(SpawnRequest::unpack(request.bytes).count);
  std::size_t possible = free_spares().size();
  if (wanted <= possible || wanted > options_.pool->spares.size()) return true;
  if (waited < std::chrono::nanoseconds(mapping_.tuning().spare_leaves)) return false;
  for (int slot = world_size(); slot < slots(); ++slot) {
    const Watched& one = ranks_[static_cast<std::size_t>(slot)];
    const bool ends =
        one.unwanted || transport::shm::departed(mapping_.endpoint(slot).presence.see());
    if (one.spare >= 0 && !one.done() && ends) ++possible;
  }
  return wanted > possible;
}

// Returns the free spare processes; an empty list where the number of tasks has no such limit.
// Throws Error(no_slot) if too few are free.
std::vector<int> Supervisor::claim_spares(int count) const {
  if (!options_.pool) return {};
  std::vector<int> free = free_spares();
  if (static_cast<std::size_t>(count) > free.size()) {
    const std::size_t spares = options_.pool->spares.size();
    base::fail(base::Status::no_slot,
               "{} tasks are asked for, but the job has {} spare rank{} here, {} of them free: "
               "start it with more, as in mpirun -n 1 PROGRAM : -n {} tutti spare",
               count, spares, spares == 1 ? "" : "s", free.size(),
               spares - free.size() + static_cast<std::size_t>(count));
  }
  return free;
}

const std::vector<int>* Supervisor::processors_of(const Start& start) const {
  if (start.spare >= 0) return &options_.pool->spares[static_cast<std::size_t>(start.spare)];
  const auto rank = static_cast<std::size_t>(transport::shm::slot_of(start.id));
  return rank < options_.processors.size() ? &options_.processors[rank] : nullptr;
}

// Ends the job without a report, because another process reports the reason. Returns true.
bool Supervisor::end_quietly(int exit_code) {
  conclude({exit_code, ""}, States::omit);
  return true;
}

}  // namespace tutti::launch
