// SPDX-License-Identifier: BSD-3-Clause
// Watches the other processes, and looks at what they have noted.
#include "launch/exit_meeting.hpp"

#include <poll.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "launch/exit_state.hpp"
#include "launch/process.hpp"
#include "launch/report.hpp"
#include "launch/wait_graph.hpp"
#include "launch/watcher.hpp"

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
    }
    watch();
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
    if (!watcher_) {
      ::poll(nullptr, 0, milliseconds);
      return false;
    }
    try {
      bool one_has_died = false;
      for (auto ends = watcher_->next(milliseconds); !ends.empty(); ends = watcher_->next(0))
        one_has_died =
            std::ranges::any_of(ends, [this](const auto& end) { return has_died(end.number); }) ||
            one_has_died;
      return one_has_died;
    } catch (const base::Error&) {
      watcher_.reset();  // then they are looked at after each pause
      return false;
    }
  }

 private:
  [[nodiscard]] bool has_died(int rank) const {
    return !exits(rank) || (mapping_->endpoint(rank).exit_note.see() & note_of_meeting) != 0;
  }
  void watch() {
    try {
      watcher_.emplace("the other processes of this host (epoll)");
    } catch (const base::Error&) {
      return;  // then they are looked at after each pause
    }
    for (const int rank : ranks_) {
      pidfds_.push_back(open_pidfd(mapping_->endpoint(rank).pid.see()));
      // Failure is harmless: the process is looked at after each pause.
      static_cast<void>(watcher_->watch_end(pidfds_.back(), rank));
    }
  }
  [[nodiscard]] bool exits(int rank) const {
    const auto& endpoint = mapping_->endpoint(rank);
    const auto note = endpoint.exit_note.see();
    return departed(endpoint.presence.see()) || (note & transport::wire::note_of_finalize) != 0 ||
           (self_ == Self::has_failed && (note & code_in_note) != 0);
  }

  const Mapping* mapping_;
  Self self_;
  std::vector<int> ranks_;
  std::optional<Watcher> watcher_;
  std::vector<Descriptor> pidfds_;
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

// The note stays only if this process has made up its mind, because the others rely on it.
bool ExitMeeting::await_exits(int code) const {
  if (job_->hosts().count() > 1) return false;
  note_exit_code(*own_, code);
  Others others(*mapping_, *job_, Self::has_failed);
  if (wait_for_exits(others, *job_, Self::has_failed,
                     std::chrono::nanoseconds(mapping_->tuning().meeting_at_exit)))
    return true;
  forget_exit_code(*own_);
  return false;
}

bool ExitMeeting::others_leave() const {
  const std::chrono::nanoseconds patience(mapping_->tuning().meeting_at_exit);
  Others others(*mapping_, *job_, Self::has_left);
  own_->exit_note.mark(note_of_meeting);
  if (wait_for_exits(others, *job_, Self::has_left, patience)) {
    own_->exit_note.clear(note_of_meeting);
    return true;
  }
  await_report_of_abort(*mapping_);
  std::this_thread::sleep_for(patience);  // the launcher ends this process meanwhile
  return false;
}

void await_report_of_abort(const Mapping& mapping) {
  constexpr std::chrono::seconds most{5};
  constexpr std::chrono::milliseconds interval{2};
  const auto end = Clock::now() + most;
  while (mapping.header().abort_state.see() == 1 && Clock::now() < end)
    std::this_thread::sleep_for(interval);
}

}  // namespace tutti::launch
