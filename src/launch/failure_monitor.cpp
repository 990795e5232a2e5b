// SPDX-License-Identifier: BSD-3-Clause
// Names the cause of a failure: the rank that ended first without having left its job. Ranks that
// end a moment later are usually ended by MPI. Between two looks for ended ranks it looks for a
// standstill.
#include "launch/failure_monitor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/uninterrupted.hpp"
#include "launch/exit_state.hpp"
#include "launch/host_watch.hpp"
#include "launch/memory_kills.hpp"
#include "launch/output.hpp"
#include "launch/process.hpp"
#include "launch/report.hpp"
#include "launch/signals.hpp"
#include "launch/wait_graph.hpp"
#include "transport/shm/wake.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds moment{2};
constexpr std::chrono::milliseconds longest_end{500};
constexpr int most_named = 4;

// Makes this a process of its own session, so that no signal for the ranks' group reaches it. It
// closes descriptors that would keep a connection of MPI open, all but these.
void become_nobody(const std::vector<int>& kept) {
  drop_handlers();
  // Failure is harmless: a signal for the group of the ranks then ends this process, too.
  ::setsid();
  // Failure is harmless: it is only a name for people.
  ::prctl(PR_SET_NAME, "tutti-monitor");
  base::let_go_of(STDIN_FILENO);
  base::let_go_of(STDOUT_FILENO);
  base::close_all_but(kept);
}

class FailureMonitor {
 public:
  // Where there are several hosts, a message may be under way in MPI while all ranks wait.
  FailureMonitor(Monitored monitored, OperationName operation_name)
      : ranks_(std::move(monitored.ranks)),
        whole_(monitored.whole),
        operation_name_(operation_name),
        events_(base::raised(::epoll_create1(EPOLL_CLOEXEC))) {
    if (!events_.valid()) base::fail_errno("nobody watches this job for failures (epoll)");
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      pidfds_.push_back(open_pidfd(ranks_[i].pid));
      epoll_event event{};
      event.events = EPOLLIN | EPOLLONESHOT;
      event.data.u64 = i;
      if (pidfds_[i].valid() &&
          ::epoll_ctl(events_.get(), EPOLL_CTL_ADD, pidfds_[i].get(), &event) == 0)
        ++waiting_;
    }
    const auto silence = silence_of(tuning());
    if (silence && !monitored.neighbours.others.empty())
      hosts_.emplace(std::move(monitored.neighbours), *silence, operation_name);
  }

  // Waits for the first rank that fails. The kernel lists ends in the order in which they happened,
  // even if this process looks late.
  void run() {
    while (waiting_ > 0) {
      const auto index = next_end(pause());
      if (index) --waiting_;
      if (index && !view_of(*index).departed()) {
        if (somebody_aborted()) return;  // the job is over
        if (ending_at(*index).good()) {
          ended_well_.push_back(*index);
          look_closely_until_ = Clock::now() + longest_end;
        } else {
          return may_be_ended_by_mpi(*index) ? say_after_which(*index) : say_who_ended(*index);
        }
      }
      if (say_if_awaited()) return;
      if (!index && whole_ != nullptr && stands_still()) return;
      if (hosts_ && ends_for_silence()) return;
    }
  }

 private:
  // Returns how long to wait for the next end, in milliseconds; -1 means for ever.
  [[nodiscard]] int pause() const {
    const auto milliseconds = [](std::int64_t time) { return static_cast<int>(time / 1'000'000); };
    if (!ended_well_.empty() && Clock::now() < look_closely_until_)
      return milliseconds(tuning().monitor_close_look);
    if (hosts_) return milliseconds(tuning().host_look);
    return ended_well_.empty() && whole_ == nullptr ? -1 : milliseconds(tuning().monitor_look);
  }

  [[nodiscard]] const base::Tuning& tuning() const { return ranks_.front().mapping->tuning(); }

  // Returns a rank that has ended; nullopt if none ends in that time.
  [[nodiscard]] std::optional<std::size_t> next_end(int milliseconds) {
    epoll_event event{};
    const int found =
        base::uninterrupted([&] { return ::epoll_wait(events_.get(), &event, 1, milliseconds); });
    if (found < 0)
      base::fail_errno("nobody watches this job for failures: waiting for ends of ranks");
    if (found != 1) return std::nullopt;
    return static_cast<std::size_t>(event.data.u64);
  }

  // Returns true after it has reported that all ranks wait in vain, and has told them to end.
  [[nodiscard]] bool stands_still() {
    if (!all_asleep(*whole_)) return false;
    const auto world = view_world(*whole_);
    if (!standstill_.look(world)) return false;
    std::string report = fmt::format("tutti: {}\n", standstill_text(world));
    report += describe_world(world, -1, operation_name_);
    const std::string cycle = find_cycle(world);
    if (!cycle.empty()) report += fmt::format("  cycle: {}\n", cycle);
    report += failure_note(*whole_);
    tell(report);
    wait_until_read(STDERR_FILENO);
    whole_->header().ending.publish(1);
    for (const RankView& view : world) transport::shm::wake(whole_->endpoint(view.rank));
    return true;
  }

  // Says that another host is silent. Returns true after it has told the ranks to end.
  [[nodiscard]] bool ends_for_silence() {
    std::vector<RankView> world;
    for (const MonitoredRank& one : ranks_)
      world.push_back(launch::view_of(*one.mapping, one.rank));
    const HostWatch::Finding found = hosts_->look(world);
    tell(found.text);
    if (!found.ends) return false;
    wait_until_read(STDERR_FILENO);
    for (const MonitoredRank& one : ranks_) {
      one.mapping->header().ending.publish(1);
      transport::shm::wake(one.mapping->endpoint(one.rank));
    }
    return true;
  }

  // Names the rank that ended first and, if they are few, others that end at about the same time.
  // MPI's launcher learns of a death from a connection that closes before the process has ended, so
  // it may have killed others before the first end is seen. Therefore ranks that are ending already
  // (on a busy machine that takes time) and those that end within `moment` are named, too.
  void say_who_ended(std::size_t first) {
    // This report comes at once, because the launcher may end any time now, and text that it has
    // not read is lost.
    if (say(first)) tell(failure_note(*ranks_[first].mapping));
    std::set<std::size_t> dying;
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      if (i != first && is_ending(ranks_[i].pid)) dying.insert(i);
    const auto begin = Clock::now();
    for (int said = 1;
         said < most_named && Clock::now() < begin + (dying.empty() ? moment : longest_end);) {
      const auto index = next_end(1);
      if (!index) continue;
      dying.erase(*index);
      if (view_of(*index).departed()) continue;
      say(*index);
      ++said;
    }
  }

  // A program of MPI need not leave the job, and may end. It is an error if another rank waits for
  // it, which that one may only be about to do. Returns true after it has reported such an error;
  // MPI then ends the others, which are not named.
  [[nodiscard]] bool say_if_awaited() {
    for (const std::size_t ended : ended_well_) {
      const int rank = ranks_[ended].rank;
      for (const MonitoredRank& other : ranks_) {
        const RankView view = launch::view_of(*other.mapping, other.rank);
        if (other.rank == rank || !vain_waits_.look(view, rank)) continue;
        tell(
            fmt::format("tutti: rank {} (process {}) exited with code 0 without leaving the job, "
                        "and rank {} waits for it\n{}",
                        rank, ranks_[ended].pid, other.rank, failure_note(*other.mapping)));
        return true;
      }
    }
    return false;
  }

  // Returns true if the rank was killed as launchers do it, and soon after another one has ended
  // without leaving the job, which launchers of MPI take for a failure. The end of that other one
  // is then the cause.
  [[nodiscard]] bool may_be_ended_by_mpi(std::size_t index) const {
    const Ending ending = ending_at(index);
    const bool killed = ending.kind == EndingKind::signalled &&
                        (ending.value == SIGKILL || ending.value == SIGTERM);
    return killed && !ended_well_.empty() && Clock::now() < look_closely_until_;
  }

  // Names the ranks that have ended without leaving the job, after which this one was killed.
  void say_after_which(std::size_t killed) const {
    std::string report;
    for (const std::size_t ended : ended_well_)
      report +=
          fmt::format("tutti: rank {} (process {}) exited with code 0 without leaving the job\n",
                      ranks_[ended].rank, ranks_[ended].pid);
    const MonitoredRank& one = ranks_[killed];
    report += fmt::format(
        "tutti: soon after, rank {} (process {}) {}, as launchers of MPI do; it was {}\n{}",
        one.rank, one.pid, text_of(ending_at(killed)), describe(view_of(killed), operation_name_),
        failure_note(*one.mapping));
    tell(report);
    wait_until_read(STDERR_FILENO);
  }

  [[nodiscard]] Ending ending_at(std::size_t index) const {
    const MonitoredRank& one = ranks_[index];
    return ending_of(pidfds_[index].get(), one.pid,
                     one.mapping->endpoint(one.rank).exit_note.see() & code_in_note);
  }

  // Returns true if a rank has aborted. It has reported that itself, and the other ranks end
  // because of it.
  [[nodiscard]] bool somebody_aborted() const {
    return std::any_of(ranks_.begin(), ranks_.end(), [](const MonitoredRank& one) {
      return one.mapping->header().abort_state.see() != 0;
    });
  }

  [[nodiscard]] RankView view_of(std::size_t index) const {
    return launch::view_of(*ranks_[index].mapping, ranks_[index].rank);
  }

  static void tell(std::string_view text) {
    write_all(STDERR_FILENO, base::without_controls(text));
  }

  // Returns false if there is nothing to say about the end of this rank.
  bool say(std::size_t index) {
    const MonitoredRank& one = ranks_[index];
    const Ending ending = ending_at(index);
    // Launchers end ranks by SIGTERM.
    const bool asked = ending.kind == EndingKind::signalled && ending.value == SIGTERM;
    if (ending.good() || asked) return false;
    tell(fmt::format("tutti: rank {} (process {}) {}{}; it was {}\n", one.rank, one.pid,
                     text_of(ending), memory_kills_.reason_of(ending),
                     describe(view_of(index), operation_name_)));
    return true;
  }

  std::vector<MonitoredRank> ranks_;
  const Mapping* whole_;
  std::optional<HostWatch> hosts_;  // the other machines of the job
  MemoryKills memory_kills_;
  StandstillWatch standstill_;
  OperationName operation_name_;
  Descriptor events_;
  std::vector<Descriptor> pidfds_;  // one per entry of ranks_
  int waiting_ = 0;
  std::vector<std::size_t> ended_well_;  // ranks that have exited with 0 and have not left the job
  Clock::time_point look_closely_until_{};
  VainWaits vain_waits_;  // for one of those
};

}  // namespace

void be_failure_monitor(Monitored monitored, OperationName operation_name,
                        const ReceivedApart& received) {
  try {
    become_nobody({received.ready, monitored.life, monitored.neighbours.listener});
    continue_at_end(monitored.life);
    FailureMonitor monitor(std::move(monitored), operation_name);
    say_taken_over(received);
    monitor.run();
  } catch (const std::exception& error) {
    say_failure(error);
  }
  ::_exit(0);
}

}  // namespace tutti::launch
