// SPDX-License-Identifier: BSD-3-Clause
// What ends first without having left its job is the cause; what ends later is MPI's doing.
#include "launch/witness.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <map>
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

using transport::mpi::Job;
using transport::shm::Mapping;

// A process of its own session, so that no signal for the ranks' group reaches it, and with no descriptors that would keep
// a connection of MPI open.
void become_nobody() {
  drop_handlers();
  ::setsid();
  ::prctl(PR_SET_NAME, "tutti-witness");
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::syscall(SYS_close_range, 3U, ~0U, 0);
}

// A rank as the witness sees it.
struct Witnessed {
  int rank = 0;
  pid_t pid = 0;
  const Mapping* mapping = nullptr;
};

class Witness {
 public:
  Witness(std::vector<Witnessed> ranks, OperationName operation_name)
      : ranks_(std::move(ranks)), operation_name_(operation_name), events_(::epoll_create1(EPOLL_CLOEXEC)) {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      pidfds_.push_back(open_pidfd(ranks_[i].pid));
      epoll_event event{};
      event.events = EPOLLIN | EPOLLONESHOT;
      event.data.u64 = i;
      if (pidfds_[i].valid() && ::epoll_ctl(events_.get(), EPOLL_CTL_ADD, pidfds_[i].get(), &event) == 0) ++waiting_;
    }
  }

  // The kernel lists ends in the order in which they came, also when this process is late to look.
  void run() {
    for (epoll_event event{}; waiting_ > 0;) {
      if (::epoll_wait(events_.get(), &event, 1, -1) != 1) continue;
      if (!left_in_order(event.data.u64)) return;
      --waiting_;
    }
  }

 private:
  // Otherwise the job is over, and what there is to say has been said.
  [[nodiscard]] bool left_in_order(std::size_t index) const {
    const Witnessed& one = ranks_[index];
    const RankView view = view_of(*one.mapping, one.rank);
    if (view.departed()) return true;
    const Ending ending = ending_of(pidfds_[index].get(), one.pid, one.mapping->endpoint(one.rank).exit_note.load());
    const bool aborted = one.mapping->header().abort_state.load() != 0;                  // and has said so itself
    const bool asked = ending.kind == EndingKind::signalled && ending.value == SIGTERM;  // as launchers do
    if (!ending.good() && !aborted && !asked) {
      write_all(STDERR_FILENO, fmt::format("tutti: rank {} (process {}) {}; it was {}\n", one.rank, one.pid,
                                           text_of(ending), describe(view, operation_name_)));
    }
    return false;
  }

  std::vector<Witnessed> ranks_;
  OperationName operation_name_;
  Descriptor events_;
  std::vector<Descriptor> pidfds_;  // as ranks_
  int waiting_ = 0;
};

// _exit, never exit: buffers and destructors belong to the user's process.
[[noreturn]] void be_witness(std::vector<Witnessed> ranks, OperationName operation_name) {
  try {
    become_nobody();
    Witness(std::move(ranks), operation_name).run();
  } catch (const std::exception& error) {
    write_all(STDERR_FILENO, fmt::format("tutti: {}\n", error.what()));
  }
  ::_exit(0);
}

// Forked twice, so that it is no child that the program could wait for. Without it the job runs as well.
void fork_witness(const std::vector<Witnessed>& ranks, OperationName operation_name) {
  const pid_t between = ::fork();
  if (between == 0) {
    if (::fork() == 0) be_witness(ranks, operation_name);
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

// Pretended hosts of one machine have memory of their own, but one witness.
void start_witness(const Job& job, const Mapping& mapping, OperationName operation_name) {
  const auto seats = job.gather_all(Seat{job.machine(), ::getpid(), mapping.descriptor()});
  if (job.machine() == job.rank()) {
    std::map<int, Mapping> others;  // by the lowest rank of their host
    std::vector<Witnessed> ranks;
    for (int rank = 0; rank < job.size(); ++rank) {
      const Seat& seat = seats[static_cast<std::size_t>(rank)];
      if (seat.machine != job.machine()) continue;
      const int host = job.host_of(rank);
      const Seat& first = seats[static_cast<std::size_t>(host)];
      if (const Mapping* memory = job.here(rank) ? &mapping : opened(others, host, first)) {
        ranks.push_back({rank, seat.pid, memory});
      }
    }
    fork_witness(ranks, operation_name);
  }
  static_cast<void>(job.gather_all(0));  // until then all memory can be opened
}

}  // namespace tutti::launch
