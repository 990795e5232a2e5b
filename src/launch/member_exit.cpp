// SPDX-License-Identifier: BSD-3-Clause
// How a process that ends without having left a job of MPI's finds out whether the others end, too.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "launch/exit_state.hpp"
#include "launch/member.hpp"
#include "launch/process.hpp"
#include "launch/report.hpp"
#include "launch/wait_graph.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using Clock = std::chrono::steady_clock;

// How long a process that has failed waits for the others to end.
constexpr std::chrono::seconds patience{1};
// Between two looks whether another process has died, which reads a file for each of them.
constexpr std::chrono::milliseconds close_look{50};
constexpr int longest_pause = 8;  // milliseconds

// The other processes of this host.
class Others {
 public:
  Others(const Mapping& mapping, std::vector<int> ranks)
      : mapping_(&mapping), ranks_(std::move(ranks)) {}

  [[nodiscard]] bool all_exit() const {
    return std::ranges::all_of(ranks_, [&](int rank) { return exits(rank); });
  }
  [[nodiscard]] bool one_has_died() const {
    return std::ranges::any_of(ranks_, [&](int rank) {
      return !departed(mapping_->endpoint(rank).presence.load()) &&
             is_ending(mapping_->endpoint(rank).pid.load());
    });
  }
  [[nodiscard]] bool one_waits_for(int rank) {
    return std::ranges::any_of(
        ranks_, [&](int other) { return vain_waits_.look(view_of(*mapping_, other), rank); });
  }

 private:
  // Returns true if the process has left the job or is in exit().
  [[nodiscard]] bool exits(int rank) const {
    const auto& endpoint = mapping_->endpoint(rank);
    return departed(endpoint.presence.load()) || endpoint.exit_note.load() != 0;
  }

  const Mapping* mapping_;
  std::vector<int> ranks_;
  VainWaits vain_waits_;
};

bool wait_for_exits(Others& others, int rank, bool failed) {
  const auto end = Clock::now() + patience;
  auto next_close_look = Clock::now() + close_look;
  for (int pause = 1; !others.all_exit(); pause = std::min(2 * pause, longest_pause)) {
    if (failed && (others.one_waits_for(rank) || Clock::now() > end)) return false;
    if (Clock::now() > next_close_look) {
      if (others.one_has_died()) return false;
      next_close_look = Clock::now() + close_look;
    }
    ::poll(nullptr, 0, pause);
  }
  return true;
}

}  // namespace

// An abort may call exit(), and then ends the other processes itself.
bool Membership::ends_mpi() const {
  return valid() && job_ != nullptr && job_->ends_mpi() && job_->callable_here() &&
         mapping_.header().abort_state.load() == 0;
}

// The note stays only if this process has made up its mind, because the others rely on it.
bool Membership::await_exits(int code) {
  if (code != 0 && job_->host_count() > 1) return false;
  exit_state_->endpoint->exit_note.store(1U + static_cast<unsigned>(code & 0xff));
  std::vector<int> ranks;
  for (int rank = 0; rank < job_->size(); ++rank)
    if (rank != job_->rank() && job_->here(rank)) ranks.push_back(rank);
  Others others(mapping_, std::move(ranks));
  if (wait_for_exits(others, job_->rank(), code != 0)) return true;
  exit_state_->endpoint->exit_note.store(0);
  return false;
}

}  // namespace tutti::launch
