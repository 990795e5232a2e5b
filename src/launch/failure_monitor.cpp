// SPDX-License-Identifier: BSD-3-Clause
// Names the cause of a failure: the rank that ended first without having left its job. Ranks that
// end a moment later are usually ended by MPI.
#include "launch/failure_monitor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
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

namespace tutti::launch {
namespace {

using transport::shm::Mapping;
using transport::wire::WireJob;

constexpr std::chrono::milliseconds moment{2};
constexpr std::chrono::milliseconds longest_end{500};
constexpr int most_named = 4;

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
  FailureMonitor(std::vector<Monitored> ranks, OperationName operation_name)
      : ranks_(std::move(ranks)),
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
    for (; waiting_ > 0; --waiting_) {
      const auto index = next_end(-1);
      if (!index || view_of(*index).departed()) continue;
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

  // Names the rank that ended first and, if they are few, others that end at about the same time.
  // MPI's launcher learns of a death from a connection that closes before the process has ended, so
  // it may have killed others before the first end is seen. Therefore ranks that are ending already
  // (on a busy machine that takes time) and those that end within `moment` are named, too.
  void say_who_ended(std::size_t first) {
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
    const Ending ending =
        ending_of(pidfds_[index].get(), one.pid, one.mapping->endpoint(one.rank).exit_note.load());
    // Launchers end ranks by SIGTERM.
    const bool asked = ending.kind == EndingKind::signalled && ending.value == SIGTERM;
    if (ending.good() || asked) return;
    write_all(STDERR_FILENO,
              fmt::format("tutti: rank {} (process {}) {}; it was {}\n", one.rank, one.pid,
                          text_of(ending), describe(view_of(index), operation_name_)));
  }

  std::vector<Monitored> ranks_;
  OperationName operation_name_;
  Descriptor events_;
  std::vector<Descriptor> pidfds_;  // one per entry of ranks_
  int waiting_ = 0;
};

// Runs the monitor in the forked process. It ends by _exit, because buffers and destructors belong
// to the user's process.
[[noreturn]] void be_failure_monitor(std::vector<Monitored> ranks, OperationName operation_name) {
  try {
    become_nobody();
    FailureMonitor(std::move(ranks), operation_name).run();
  } catch (const std::exception& error) {
    write_all(STDERR_FILENO, fmt::format("tutti: {}\n", error.what()));
  }
  ::_exit(0);
}

// Forks twice, so that the monitor is not a child for which the program might wait. If a fork
// fails, the job runs without a monitor.
void fork_failure_monitor(const std::vector<Monitored>& ranks, OperationName operation_name) {
  const pid_t between = ::fork();
  if (between == 0) {
    if (::fork() == 0) be_failure_monitor(ranks, operation_name);
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
    fork_failure_monitor(ranks, operation_name);
  }
  // Each rank keeps its memory open until all ranks have come here.
  static_cast<void>(job.gather_all(0));
}

}  // namespace tutti::launch
