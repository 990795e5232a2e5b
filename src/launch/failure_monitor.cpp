// SPDX-License-Identifier: BSD-3-Clause
// Names the cause of a failure: the rank that ended first without having left its job. Ranks that
// end a moment later are usually ended by MPI. Between two looks for ended ranks it looks for a
// standstill.
#include "launch/failure_monitor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "launch/exit_state.hpp"
#include "launch/host_watch.hpp"
#include "launch/job_policy.hpp"
#include "launch/memory_kills.hpp"
#include "launch/output.hpp"
#include "launch/process.hpp"
#include "launch/report.hpp"
#include "launch/wait_graph.hpp"
#include "launch/watcher.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds moment{2};
constexpr std::chrono::milliseconds longest_end{500};
constexpr int most_named = 4;

class FailureMonitor {
 public:
  // Where there are several hosts, a message may be under way in MPI while all ranks wait.
  FailureMonitor(Monitored monitored, OperationName operation_name)
      : ranks_(std::move(monitored.ranks)),
        whole_(monitored.whole),
        operation_name_(operation_name) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      pidfds_.push_back(open_pidfd(ranks_[i].pid));
      if (watcher_.watch_end(pidfds_[i], static_cast<int>(i))) ++waiting_;
    }
    const auto silence = silence_of(tuning());
    if (silence && !monitored.neighbours.others.empty())
      hosts_.emplace(std::move(monitored.neighbours), *silence, operation_name);
  }

  // Waits for the first rank that fails.
  void run() {
    while (waiting_ > 0) {
      const auto index = next_end(pause());
      if (index) --waiting_;
      if (index && ends_the_job(*index)) return;
      if (say_if_awaited()) return;
      if (!index && whole_ != nullptr && stands_still()) return;
      if (hosts_ && ends_for_silence()) return;
    }
  }

 private:
  // The report of a rank that has aborted is its own.
  [[nodiscard]] Decision judge(const JobEvent& event) const {
    const Aborted aborted;
    return decide({.below_mpi = true,
                   .abort = somebody_aborted() ? &aborted : nullptr,
                   .soon_after_exit = !ended_well_.empty() && Clock::now() < look_closely_until_},
                  event);
  }

  // Returns true if the end of this rank is the end of the job, after saying so.
  [[nodiscard]] bool ends_the_job(std::size_t index) {
    const ProcessEnded event{.rank = ranks_[index].rank,
                             .ending = ending_at(index),
                             .has_left = view_of(index).departed()};
    switch (judge(event).act) {
      case Act::look_closely:
        ended_well_.push_back(index);
        look_closely_until_ = Clock::now() + longest_end;
        return false;
      case Act::name:
        say_who_ended(index);
        return true;
      case Act::name_both:
        say_after_which(index);
        return true;
      case Act::end:
        return true;
      default:
        return false;
    }
  }

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
    if (ends_.empty()) ends_ = watcher_.next(milliseconds);
    if (ends_.empty()) return std::nullopt;
    const int index = ends_.front().number;
    ends_ = ends_.subspan(1);
    return static_cast<std::size_t>(index);
  }

  // Returns true after it has reported that all ranks wait in vain, and has told them to end.
  [[nodiscard]] bool stands_still() {
    if (!all_asleep(*whole_)) return false;
    const auto world = view_world(*whole_);
    if (!standstill_.look(world)) return false;
    tell(fmt::format("tutti: {}\n{}", judge(AllWait{standstill_text(world)}).reason,
                     report_states(*whole_, world, -1, operation_name_, find_cycle(world))));
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
        if (judge(WaitInVain{}).act != Act::name) return false;
        tell(
            fmt::format("tutti: rank {} (process {}) exited with code 0 without leaving the job, "
                        "and rank {} waits for it\n{}",
                        rank, ranks_[ended].pid, other.rank, failure_note(*other.mapping)));
        return true;
      }
    }
    return false;
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
    if (ending.good() || ending.by(SIGTERM)) return false;
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
  Watcher watcher_{"nobody watches this job for failures (epoll)"};
  std::span<const Watcher::Happening> ends_;  // that are still to be looked at
  std::vector<Descriptor> pidfds_;            // one per entry of ranks_
  int waiting_ = 0;
  std::vector<std::size_t> ended_well_;  // ranks that have exited with 0 and have not left the job
  Clock::time_point look_closely_until_{};
  VainWaits vain_waits_;  // for one of those
};

}  // namespace

void be_failure_monitor(Monitored monitored, Helper& helper) {
  continue_at_end(monitored.life);
  FailureMonitor monitor(std::move(monitored), helper.operation_name);
  helper.say_begun();
  monitor.run();
}

}  // namespace tutti::launch
