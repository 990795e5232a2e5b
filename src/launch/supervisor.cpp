// SPDX-License-Identifier: BSD-3-Clause
// The supervisor's event loop: control sockets, pidfds, signals, output pipes and timers.
#include "launch/supervisor.hpp"

#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/uninterrupted.hpp"
#include "launch/descendants.hpp"
#include "launch/process.hpp"
#include "launch/refusal.hpp"

namespace tutti::launch {
namespace {

using std::chrono::milliseconds;

// Descriptors of the supervisor itself, and those that exist only while a rank is started.
constexpr int descriptors_of_supervisor = 64;

std::uint64_t pack(std::uint32_t source, int rank) {
  return (std::uint64_t{source} << 32) | static_cast<std::uint32_t>(rank);
}

int descriptors_per_rank(const OutputOptions& output) {
  constexpr int of_process = 3;  // control, pidfd, death_pipe
  return of_process + (output.forwarded() ? 2 : 0) + (output.folder.empty() ? 0 : 2);
}

}  // namespace

int ranks_that_fit(const OutputOptions& output) {
  rlimit limit{};
  // Failure is harmless: it fails only for wrong arguments.
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto descriptors = std::min<rlim_t>(limit.rlim_max, rlim_t{1} << 20);
  const int fit =
      (static_cast<int>(descriptors) - descriptors_of_supervisor) / descriptors_per_rank(output);
  return std::clamp(fit, 0, transport::shm::capacity);
}

void require_room(int n, const OutputOptions& output) {
  const int fit = ranks_that_fit(output);
  if (n >= 1 && n <= fit) return;
  if (fit == 0) {
    base::fail(base::Status::no_slot,
               "a job of {} process{} cannot start: this shell allows too few open files (ulimit "
               "-Hn); it needs {}",
               n, n == 1 ? "" : "es", descriptors_of_supervisor + descriptors_per_rank(output) * n);
  }
  base::fail(base::Status::no_slot, "a job of {} processes: between 1 and {} fit{}", n, fit,
             fit < transport::shm::capacity ? " (limited by ulimit -Hn)" : "");
}

Supervisor::Supervisor(transport::shm::Mapping& mapping, SupervisorOptions options)
    : mapping_(mapping),
      options_(std::move(options)),
      ranks_(mapping.header().world_size),
      started_(mapping.header().world_size) {
  assign_programs();
  mapping.header().alone.publish(0);
  one_outlet_ = options_.output.tagged && same_file(STDOUT_FILENO, STDERR_FILENO);
  if (options_.signals) original_signals_ = *options_.signals;
  original_limit_ = raise_descriptor_limit();
  adopt_orphans();
  epoll_ = Descriptor(base::raised(::epoll_create1(EPOLL_CLOEXEC)));
  if (!epoll_.valid()) base::fail_errno("the launcher's event loop (epoll)");
  signals_ = take_over_signals();
  watch(signals_.get(), Source::signals, 0);
  if (options_.job_socket >= 0) watch(options_.job_socket, Source::job_socket, 0);
  if (options_.reaper >= 0) watch(options_.reaper, Source::reaper, 0);
  if (options_.timeout) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(*options_.timeout, 1e9)));
  }
}

void Supervisor::assign_programs() {
  std::size_t rank = 0;
  for (const LaunchedProgram& program : options_.programs) {
    for (int left = program.ranks; left > 0 && rank < ranks_.size(); --left)
      ranks_[rank++].program = &program;
  }
}

const Setting& Supervisor::setting_of(int rank) const {
  const LaunchedProgram* program = ranks_[static_cast<std::size_t>(rank)].program;
  return program == nullptr ? own_setting_ : program->setting;
}

void Supervisor::watch(int descriptor, Source source, int rank) {
  watch(descriptor, source, rank, EPOLLIN);
}

void Supervisor::watch(int descriptor, Source source, int rank, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = pack(static_cast<std::uint32_t>(source), rank);
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    base::fail_errno("watching a process");
}

// Removes the descriptor from epoll before it is closed. A closed descriptor that a child still
// holds would continue to report.
void Supervisor::forget(int descriptor) {
  // Failure is harmless: the descriptor was not watched, and is closed next.
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr);
}

void Supervisor::unwatch(Descriptor& descriptor) {
  if (!descriptor.valid()) return;
  forget(descriptor.get());
  descriptor.reset();
}

void Supervisor::watch_root_process(int rank, pid_t pid, Descriptor pidfd, Descriptor control) {
  Watched& watched = at(rank);
  root_process_ = rank;
  watched.process = pid;
  watched.process_done = false;
  watched.pidfd = std::move(pidfd);
  watched.control = std::move(control);
  if (watched.pidfd.valid()) watch(watched.pidfd.get(), Source::process, rank);
  watch(watched.control.get(), Source::control, rank);
}

void Supervisor::start(int first_rank) {
  for (int rank = first_rank; rank < world_size() && !decision_; ++rank) {
    try {
      const LaunchedProgram& program = *at(rank).program;
      const StartResult started =
          start_rank({rank, rank, world_size(), &program.executable, &program.arguments, -1});
      if (started.error == 0) continue;
      const std::string which = rank == first_rank ? "" : fmt::format(" as rank {}", rank);
      conclude({refusal_code(started),
                refusal_text(started, program.executable, program.setting, which)},
               States::omit);
    } catch (const base::Error& error) {
      conclude({1, fmt::format("cannot start rank {}: {}", rank, error.what())}, States::omit);
    }
  }
}

StartResult Supervisor::start_rank(const Start& start) {
  const int rank = transport::shm::slot_of(start.id);
  DescriptorPair control = socket_pair(SOCK_SEQPACKET);
  const bool forwarded = options_.output.forwarded() && start.error < 0;
  std::array<Stream, 2> streams;
  if (forwarded) streams = open_streams(rank);
  const StartResult started =
      start_process({.executable = start.executable,
                     .arguments = start.arguments,
                     .setting = &setting_of(rank),
                     .world_rank = start.world_rank,
                     .world_size = start.world_size,
                     .rank = start.id,
                     .segment = segment(),
                     .supervisor = control.second.get(),
                     .output = forwarded ? streams[0].pipe.second.get() : start.output,
                     .error = forwarded ? streams[1].pipe.second.get() : start.error,
                     .keep_stdin = rank == options_.stdin_rank,
                     .processors = processors_of(start),
                     .signals = &original_signals_,
                     .descriptors = original_limit_,
                     .below_mpi = options_.pool.has_value()});
  if (started.error != 0) return started;
  Watched& watched = at(rank);
  watched.child = started.pid;
  watched.child_done = false;
  watched.spare = start.spare;
  watched.control = std::move(control.first);
  watch(watched.control.get(), Source::control, rank);
  watched.streams = std::move(streams);
  if (forwarded) watch_streams(rank);
  return started;
}

// A supervisor that cannot do its work any more ends the job, as the failure of a rank does.
Outcome Supervisor::run() {
  try {
    while (!decision_ && (pool_wanted() || !all_done())) {
      wait_for_events(milliseconds_to_wait());
      serve_requests();
      admit_clients();
      check_timers();
      release_root_process();
    }
  } catch (const base::Error& error) {
    conclude({1, error.what()}, States::omit);
  }
  tell_root_process();
  end_everything();
  advise();
  drain_output();
  return outcome();
}

int Supervisor::milliseconds_to_wait() const {
  const std::int64_t tick = mapping_.tuning().tick / 1'000'000;
  if (!deadline_) return static_cast<int>(tick);
  const auto left = std::chrono::ceil<milliseconds>(*deadline_ - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, tick));
}

bool Supervisor::all_done() const {
  return std::all_of(ranks_.begin(), ranks_.end(),
                     [](const Watched& watched) { return watched.done(); });
}

void Supervisor::wait_for_events(int milliseconds) {
  std::array<epoll_event, 64> events;
  const int count =
      ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), milliseconds);
  if (count < 0 && errno != EINTR) base::fail_errno("the launcher's event loop (epoll)");
  for (int i = 0; i < count; ++i) {
    const std::uint64_t packed = events[static_cast<std::size_t>(i)].data.u64;
    const auto source = static_cast<Source>(packed >> 32);
    const int rank = static_cast<int>(packed & 0xffffffffU);
    try {
      handle(source, rank);
    } catch (const base::Error&) {
      silence(source, rank);
      throw;
    }
  }
}

// Stops watching a source that cannot be read. It would report for ever, and hide the others.
void Supervisor::silence(Source source, int rank) {
  if (source == Source::signals) forget(signals_.get());
  if (source == Source::control) forget(at(rank).control.get());
  if (source == Source::job_socket) forget(options_.job_socket);
}

void Supervisor::handle(Source source, int rank) {
  switch (source) {
    case Source::signals:
      return on_signals();
    case Source::control:
      return on_control(rank);
    case Source::process:
      return on_process(rank);
    case Source::output:
      return on_output(rank, 0);
    case Source::error:
      return on_output(rank, 1);
    case Source::stdout_ready:
      return on_outlet(0);
    case Source::stderr_ready:
      return on_outlet(1);
    case Source::job_socket:
      return on_job_socket();
    case Source::connection:
      return on_connection(rank);
    case Source::reaper:
      return on_end_of_reaper();
  }
}

void Supervisor::on_signals() {
  signalfd_siginfo info{};
  const auto next = [&] { return ::read(signals_.get(), &info, sizeof info); };
  for (ssize_t got = base::uninterrupted(next); got != 0; got = base::uninterrupted(next)) {
    if (got < 0 && errno == EAGAIN) return;
    if (got < 0) base::fail_errno("reading the launcher's signals");
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) {
      reap();
      continue;
    }
    const bool ends = signal != SIGUSR1 && signal != SIGUSR2;
    if (ends && options_.pool) {  // MPI's launcher tells all processes to end
      static_cast<void>(end_quietly(128 + signal));
      return;
    }
    if (ends && interrupt_ != 0 &&
        Clock::now() - interrupted_at_ >
            std::chrono::nanoseconds(mapping_.tuning().second_signal)) {
      first_signal_ = SIGKILL;
      conclude({128 + signal, fmt::format("killed by a second {}", signal_name(signal))},
               States::omit);
    } else if (ends && interrupt_ == 0) {
      interrupt_ = signal;
      interrupted_at_ = Clock::now();
    }
    // A signal from a terminal reaches the whole process group, the ranks included.
    if (info.ssi_code != SI_KERNEL) send_to_ranks(signal);
  }
}

void Supervisor::on_control(int rank) {
  Watched& watched = at(rank);
  if (!watched.control.valid()) return;  // closed by an earlier event of the same batch
  auto received = receive_message(watched.control.get());
  if (!received) {
    unwatch(watched.control);
    if (watched.admitted) lose_client(rank);
    if (watched.hello_expected) ended_before_hello(rank);
    // The root process keeps its end until it ends. Valgrind before version 3.22, some sandboxes
    // and old kernels give no pidfd of it.
    if (rank == root_process_ && !watched.pidfd.valid() && !watched.process_done)
      process_ended(rank, noted_ending(rank));
    return dismiss(rank);
  }
  const ControlMessage& message = received->message;
  if (message.kind == ControlKind::hello && message.rank == rank) {
    watched.admitted = false;
    watched.hello_expected = false;
    watched.death_pipe = std::move(received->passed);
    register_process(rank);
    const std::string spawn_group =
        watched.spawn_group == nullptr ? "" : watched.spawn_group->pack();
    tell(watched.control, {ControlKind::acknowledge, rank}, -1, spawn_group);
  } else if (message.kind == ControlKind::abort) {
    static_cast<void>(concluded_by_abort());
  } else if (message.kind == ControlKind::spawn) {
    // Requests are served after this batch of events, which may still concern slots that new tasks
    // will reuse.
    requests_.push_back(
        {rank, std::move(received->payload), std::move(received->passed), Clock::now()});
  } else if (message.kind == ControlKind::signal) {
    send_to_task(SignalRequest::unpack(received->payload));
  } else if (message.kind == ControlKind::leaving) {
    root_process_leaves_ = rank == root_process_;
    dismiss(rank);
  }
}

void Supervisor::on_process(int rank) {
  Watched& watched = at(rank);
  if (watched.process_done) return;
  process_ended(rank, ending_of(watched.pidfd.get(), watched.process,
                                mapping_.endpoint(rank).exit_note.see()));
}

}  // namespace tutti::launch
