// SPDX-License-Identifier: BSD-3-Clause
// What ends first without having left its job is the cause; what ends a moment later is MPI's
// doing.
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

// A process of its own session, so that no signal for the ranks' group reaches it, and with no
// descriptors that would keep a connection of MPI open.
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

  // The kernel lists ends in the order in which they came, also when this process is late to look.
  void run() {
    for (; waiting_ > 0; --waiting_) {
      const auto index = next_end(-1);
      if (!index || view_of(*index).departed()) continue;
      if (!somebody_aborted()) say_who_ended(*index);
      return;  // the job is over
    }
  }

 private:
  // nullopt when nobody has ended in that time; -1: for ever.
  [[nodiscard]] std::optional<std::size_t> next_end(int milliseconds) {
    epoll_event event{};
    int found = 0;
    do {
      found = ::epoll_wait(events_.get(), &event, 1, milliseconds);
    } while (found < 0 && errno == EINTR);
    if (found != 1) return std::nullopt;
    return static_cast<std::size_t>(event.data.u64);
  }

  // The launcher of an MPI hears of a death by a connection that the kernel closes before the
  // process has ended, and may have killed others before that. So those that are ending when the
  // first has ended, however long that takes on a busy machine, and those that end within a moment
  // are named as well, while they are few.
  void say_who_ended(std::size_t first) {
    say(first);  // at once: the launcher may end any time now, and what it does not read is lost
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

  // It has said so itself, and the others end for that.
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
    const bool asked =
        ending.kind == EndingKind::signalled && ending.value == SIGTERM;  // as launchers do
    if (ending.good() || asked) return;
    write_all(STDERR_FILENO,
              fmt::format("tutti: rank {} (process {}) {}; it was {}\n", one.rank, one.pid,
                          text_of(ending), describe(view_of(index), operation_name_)));
  }

  std::vector<Monitored> ranks_;
  OperationName operation_name_;
  Descriptor events_;
  std::vector<Descriptor> pidfds_;  // as ranks_
  int waiting_ = 0;
};

// _exit, never exit: buffers and destructors belong to the user's process.
[[noreturn]] void be_failure_monitor(std::vector<Monitored> ranks, OperationName operation_name) {
  try {
    become_nobody();
    FailureMonitor(std::move(ranks), operation_name).run();
  } catch (const std::exception& error) {
    write_all(STDERR_FILENO, fmt::format("tutti: {}\n", error.what()));
  }
  ::_exit(0);
}

// Forked twice, so that it is no child that the program could wait for. Without it the job runs as
// well.
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

// nullptr where it cannot be opened: then nobody watches its ranks.
const Mapping* opened(std::map<int, Mapping>& segments, int host, const Seat& seat) {
  try {
    if (!segments.contains(host)) segments.emplace(host, open_segment(seat.pid, seat.descriptor));
    return &segments.at(host);
  } catch (const base::Error&) {
    return nullptr;
  }
}

}  // namespace

// Pretended hosts of one machine have memory of their own, but one failure monitor.
void start_failure_monitor(const WireJob& job, const Mapping& mapping,
                           OperationName operation_name) {
  const auto seats = job.gather_all(Seat{job.machine(), ::getpid(), mapping.descriptor()});
  if (job.machine() == job.rank()) {
    std::map<int, Mapping> others;  // by the lowest rank of their host
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
  static_cast<void>(job.gather_all(0));  // until then all memory can be opened
}

}  // namespace tutti::launch
