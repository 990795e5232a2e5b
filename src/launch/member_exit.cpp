// SPDX-License-Identifier: BSD-3-Clause
// How a process that leaves a job of MPI's finds out whether the others leave it, too.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "launch/exit_state.hpp"
#include "launch/member.hpp"
#include "launch/process.hpp"
#include "launch/report.hpp"
#include "launch/wait_graph.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using Clock = std::chrono::steady_clock;

// A process looks at the others after ever longer pauses. An end of one that can be watched is
// seen at once, so this is how late the process may notice anything else.
constexpr int longest_pause = 8;  // milliseconds

// A process that has failed also counts the others that are in exit(): they leave when it does.
enum class Self { has_left, has_failed };

// The other processes of this host. A process that the system lets nobody ask for counts as alive.
class Others {
 public:
  Others(const Mapping& mapping, const transport::wire::WireJob& job, Self self)
      : mapping_(&mapping), self_(self) {
    for (int rank = 0; rank < job.size(); ++rank) {
      if (rank == job.rank() || !job.hosts().here(rank)) continue;
      ranks_.push_back(rank);
      Descriptor pidfd = open_pidfd(mapping.endpoint(rank).pid.see());
      if (!pidfd.valid()) continue;
      ends_.push_back({pidfd.get(), POLLIN, 0});
      watched_.push_back({rank, std::move(pidfd)});
    }
  }

  [[nodiscard]] bool all_exit() const {
    return std::ranges::all_of(ranks_, [&](int rank) { return exits(rank); });
  }
  [[nodiscard]] bool one_has_aborted() const { return mapping_->header().abort_state.see() != 0; }
  [[nodiscard]] bool one_waits_for(int rank) {
    return std::ranges::any_of(
        ranks_, [&](int other) { return vain_waits_.look(view_of(*mapping_, other), rank); });
  }
  // Sleeps this long, or until a process ends. Returns true if one has died: it has not left, or it
  // was still waiting for the others to leave.
  [[nodiscard]] bool one_dies_within(int milliseconds) {
    if (::poll(ends_.data(), ends_.size(), milliseconds) <= 0) return false;
    bool has_died = false;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (ends_[i].revents == 0) continue;
      const int rank = watched_[i].rank;
      const auto note = mapping_->endpoint(rank).exit_note.see();
      has_died = has_died || !exits(rank) || (note & note_of_meeting) != 0;
      ends_[i].fd = -1;
    }
    return has_died;
  }

 private:
  [[nodiscard]] bool exits(int rank) const {
    const auto& endpoint = mapping_->endpoint(rank);
    const auto note = endpoint.exit_note.see();
    return departed(endpoint.presence.see()) || (note & transport::wire::note_of_finalize) != 0 ||
           (self_ == Self::has_failed && (note & code_in_note) != 0);
  }

  const Mapping* mapping_;
  Self self_;
  std::vector<int> ranks_;
  struct Watched {
    int rank;
    Descriptor pidfd;
  };
  std::vector<Watched> watched_;
  std::vector<pollfd> ends_;  // of the same; fd is -1 after the end
  VainWaits vain_waits_;
};

// Waits until all others exit. Returns false if that is in vain, because one has died, or has
// aborted, or waits for this process, which has failed; and if one that has failed has waited for
// `patience`. A process that has left lets MPI work meanwhile, because another one may wait for a
// message whose send this process has begun.
bool wait_for_exits(Others& others, const transport::wire::WireJob& job, Self self,
                    std::chrono::nanoseconds patience) {
  const auto end = Clock::now() + patience;
  if (others.one_dies_within(0)) return false;
  for (int pause = 1; !others.all_exit(); pause = std::min(2 * pause, longest_pause)) {
    const bool in_vain = self == Self::has_failed
                             ? others.one_waits_for(job.rank()) || Clock::now() > end
                             : others.one_has_aborted();
    if (in_vain) return false;
    if (self == Self::has_left) job.check(job.wire().poke(), "MPI_Iprobe");
    if (others.one_dies_within(pause)) return false;
  }
  return true;
}

}  // namespace

// An abort may call exit(), and then ends the other processes itself.
bool Membership::ends_mpi() const {
  return valid() && job_ != nullptr && job_->ends_mpi() && job_->callable_here() &&
         mapping_.header().abort_state.see() == 0;
}

// The note stays only if this process has made up its mind, because the others rely on it.
bool Membership::await_exits(int code) {
  if (job_->hosts().count() > 1) return false;
  note_exit_code(*exit_state_->endpoint, code);
  Others others(mapping_, *job_, Self::has_failed);
  if (wait_for_exits(others, *job_, Self::has_failed,
                     std::chrono::nanoseconds(mapping_.tuning().meeting_at_exit)))
    return true;
  forget_exit_code(*exit_state_->endpoint);
  return false;
}

// An MPI kills the process that has aborted first at the next abort or end of another one, and
// drops text that its launcher has not read. A process that was killed before it said anything is
// not waited for longer than a few seconds.
void Membership::await_report() const {
  constexpr std::chrono::seconds most{5};
  constexpr std::chrono::milliseconds interval{2};
  const auto end = Clock::now() + most;
  while (mapping_.header().abort_state.see() == 1 && Clock::now() < end)
    std::this_thread::sleep_for(interval);
}

// The processes of a host meet here and not in MPI_Finalize. If one aborts or dies while another
// one is in MPI_Finalize, PMIx 4.2 may free its record of that wait twice, and the launcher of Open
// MPI 4.1 crashes or never ends.
bool Membership::others_leave() const {
  const std::chrono::nanoseconds patience(mapping_.tuning().meeting_at_exit);
  Others others(mapping_, *job_, Self::has_left);
  exit_state_->endpoint->exit_note.mark(note_of_meeting);
  if (wait_for_exits(others, *job_, Self::has_left, patience)) {
    exit_state_->endpoint->exit_note.clear(note_of_meeting);
    return true;
  }
  await_report();
  std::this_thread::sleep_for(patience);  // the launcher ends this process meanwhile
  return false;
}

}  // namespace tutti::launch
