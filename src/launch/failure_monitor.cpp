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
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "launch/mpi_segment.hpp"
#include "launch/output.hpp"
#include "launch/process.hpp"
#include "launch/report.hpp"
#include "launch/signals.hpp"
#include "launch/wait_graph.hpp"
#include "transport/shm/waiter.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using transport::wire::WireJob;

constexpr std::chrono::milliseconds moment{2};
constexpr std::chrono::milliseconds longest_end{500};
constexpr int most_named = 4;
constexpr int look_interval = 50;  // milliseconds

// Makes this a process of its own session, so that no signal for the ranks' group reaches it. It
// closes descriptors that would keep a connection of MPI open.
void become_nobody() {
  drop_handlers();
  ::setsid();
  ::prctl(PR_SET_NAME, "tutti-monitor");
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::syscall(SYS_close_range, 3U, ~0U, 0);
}

// A rank as the failure monitor sees it.
struct Monitored {
  int rank = 0;
  pid_t pid = 0;
  const Mapping* mapping = nullptr;
};

class FailureMonitor {
 public:
  // `whole` is the segment if it has all ranks of the job and a standstill ends the job. Where
  // there are several hosts, a message may be under way in MPI while all ranks wait.
  FailureMonitor(std::vector<Monitored> ranks, const Mapping* whole, OperationName operation_name)
      : ranks_(std::move(ranks)),
        whole_(whole),
        operation_name_(operation_name),
        events_(::epoll_create1(EPOLL_CLOEXEC)) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      pidfds_.push_back(open_pidfd(ranks_[i].pid));
      epoll_event event{};
      event.events = EPOLLIN | EPOLLONESHOT;
      event.data.u64 = i;
      if (pidfds_[i].valid() &&
          ::epoll_ctl(events_.get(), EPOLL_CTL_ADD, pidfds_[i].get(), &event) == 0)
        ++waiting_;
    }
  }

  // Waits for the first rank that ends without having left. The kernel lists ends in the order in
  // which they happened, even if this process looks late.
  void run() {
    while (waiting_ > 0) {
      const auto index = next_end(whole_ == nullptr ? -1 : look_interval);
      if (!index && whole_ != nullptr && stands_still()) return;
      if (!index) continue;
      --waiting_;
      if (view_of(*index).departed()) continue;
      if (!somebody_aborted()) say_who_ended(*index);
      return;  // the job is over
    }
  }

 private:
  // Returns a rank that has ended; nullopt if none ends in that time. -1 means to wait for ever.
  [[nodiscard]] std::optional<std::size_t> next_end(int milliseconds) {
    epoll_event event{};
    int found = 0;
    do {
      found = ::epoll_wait(events_.get(), &event, 1, milliseconds);
    } while (found < 0 && errno == EINTR);
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
    write_all(STDERR_FILENO, report);
    wait_until_read(STDERR_FILENO);
    whole_->header().ending.store(1);
    for (const RankView& view : world) transport::shm::wake(whole_->endpoint(view.rank));
    return true;
  }

  // Names the rank that ended first and, if they are few, others that end at about the same time.
  // MPI's launcher learns of a death from a connection that closes before the process has ended, so
  // it may have killed others before the first end is seen. Therefore ranks that are ending already
  // (on a busy machine that takes time) and those that end within `moment` are named, too.
  void say_who_ended(std::size_t first) {
    if (ending_at(first).good()) return say_if_awaited(first);
    // This report comes at once, because the launcher may end any time now, and text that it has
    // not read is lost.
    say(first);
    std::set<std::size_t> dying;
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      if (i != first && is_ending(ranks_[i].pid)) dying.insert(i);
    using Clock = std::chrono::steady_clock;
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
  // it, which that one may only be about to do. MPI then ends the others, which are not named.
  void say_if_awaited(std::size_t ended) const {
    const auto waits = [&](std::size_t other) {
      const RankView view = view_of(other);
      const auto& awaited = view.wait_for;
      return view.waits() &&
             std::find(awaited.begin(), awaited.end(), ranks_[ended].rank) != awaited.end();
    };
    const auto until = std::chrono::steady_clock::now() + longest_end;
    while (std::chrono::steady_clock::now() < until) {
      for (std::size_t other = 0; other < ranks_.size(); ++other) {
        if (other == ended || !waits(other)) continue;
        return write_all(STDERR_FILENO,
                         fmt::format("tutti: rank {} (process {}) exited with code 0 without "
                                     "leaving the job, and rank {} waits for it\n",
                                     ranks_[ended].rank, ranks_[ended].pid, ranks_[other].rank));
      }
      ::poll(nullptr, 0, 1);
    }
  }

  [[nodiscard]] Ending ending_at(std::size_t index) const {
    const Monitored& one = ranks_[index];
    return ending_of(pidfds_[index].get(), one.pid,
                     one.mapping->endpoint(one.rank).exit_note.load());
  }

  // Returns true if a rank has aborted. It has reported that itself, and the other ranks end
  // because of it.
  [[nodiscard]] bool somebody_aborted() const {
    return std::any_of(ranks_.begin(), ranks_.end(), [](const Monitored& one) {
      return one.mapping->header().abort_state.load() != 0;
    });
  }

  [[nodiscard]] RankView view_of(std::size_t index) const {
    return launch::view_of(*ranks_[index].mapping, ranks_[index].rank);
  }

  void say(std::size_t index) const {
    const Monitored& one = ranks_[index];
    const Ending ending = ending_at(index);
    // Launchers end ranks by SIGTERM.
    const bool asked = ending.kind == EndingKind::signalled && ending.value == SIGTERM;
    if (ending.good() || asked) return;
    write_all(STDERR_FILENO,
              fmt::format("tutti: rank {} (process {}) {}; it was {}\n", one.rank, one.pid,
                          text_of(ending), describe(view_of(index), operation_name_)));
  }

  std::vector<Monitored> ranks_;
  const Mapping* whole_;
  StandstillWatch standstill_;
  OperationName operation_name_;
  Descriptor events_;
  std::vector<Descriptor> pidfds_;  // one per entry of ranks_
  int waiting_ = 0;
};

// Runs the monitor in the forked process. It ends by _exit, because buffers and destructors belong
// to the user's process.
[[noreturn]] void be_failure_monitor(std::vector<Monitored> ranks, const Mapping* whole,
                                     OperationName operation_name) {
  try {
    become_nobody();
    FailureMonitor(std::move(ranks), whole, operation_name).run();
  } catch (const std::exception& error) {
    write_all(STDERR_FILENO, fmt::format("tutti: {}\n", error.what()));
  }
  ::_exit(0);
}

// Forks twice, so that the monitor is not a child for which the program might wait. If a fork
// fails, the job runs without a monitor.
void fork_failure_monitor(const std::vector<Monitored>& ranks, const Mapping* whole,
                          OperationName operation_name) {
  const pid_t between = ::fork();
  if (between == 0) {
    if (::fork() == 0) be_failure_monitor(ranks, whole, operation_name);
    ::_exit(0);
  }
  if (between > 0) ::waitpid(between, nullptr, 0);
}

struct Seat {
  int machine = 0, pid = 0, descriptor = -1;
};

// Returns the segment of a host; nullptr if it cannot be opened. Its ranks are then not watched.
const Mapping* opened(std::map<int, Mapping>& segments, int host, const Seat& seat) {
  try {
    if (!segments.contains(host)) segments.emplace(host, open_segment(seat.pid, seat.descriptor));
    return &segments.at(host);
  } catch (const base::Error&) {
    return nullptr;
  }
}

}  // namespace

// Hosts that TUTTI_HOSTS pretends on one machine have separate segments, but share one monitor.
void start_failure_monitor(const WireJob& job, const Mapping& mapping,
                           OperationName operation_name) {
  const auto seats = job.gather_all(Seat{job.machine(), ::getpid(), mapping.descriptor()});
  if (job.machine() == job.rank()) {
    std::map<int, Mapping> others;  // key: the lowest rank of their host
    std::vector<Monitored> ranks;
    for (int rank = 0; rank < job.size(); ++rank) {
      const Seat& seat = seats[static_cast<std::size_t>(rank)];
      if (seat.machine != job.machine()) continue;
      const int host = job.host_of(rank);
      const Seat& first = seats[static_cast<std::size_t>(host)];
      if (const Mapping* memory = job.here(rank) ? &mapping : opened(others, host, first)) {
        ranks.push_back({rank, seat.pid, memory});
      }
    }
    const transport::shm::SegmentHeader& header = mapping.header();
    const bool one_host = header.ranks_here == header.world_size &&
                          header.policy == transport::shm::DeathPolicy::together;
    fork_failure_monitor(ranks, one_host ? &mapping : nullptr, operation_name);
  }
  // Each rank keeps its memory open until all ranks have come here.
  static_cast<void>(job.gather_all(0));
}

}  // namespace tutti::launch
