// SPDX-License-Identifier: BSD-3-Clause
// Takes events to the parts that they concern, and decisions to the job.
#include "launch/supervisor.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

#include "base/error.hpp"
#include "launch/descendants.hpp"

namespace tutti::launch {
namespace {

// Descriptors of the supervisor itself, and those that exist only while a rank is started.
constexpr int descriptors_of_supervisor = 64;

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
      inherited_{options_.signals.value_or(SignalSettings()), raise_descriptor_limit()},
      watcher_("the launcher's event loop (epoll)"),
      roster_(mapping, watcher_, options_, as_judge()),
      output_(mapping, watcher_, options_.output, as_judge()),
      tasks_(mapping, watcher_, roster_, output_, options_, inherited_,
             {as_judge(), [this] { return decision_.has_value(); }}) {
  mapping_.header().alone.publish(0);
  adopt_orphans();
  watcher_.watch_signals();
  if (options_.reaper >= 0) watcher_.watch(options_.reaper, Watched::reaper);
  if (options_.timekeeper >= 0) watcher_.watch(options_.timekeeper, Watched::timekeeper);
  if (options_.timeout) {
    deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(*options_.timeout, 1e9)));
  }
}

// A supervisor that cannot do its work any more ends the job, as the failure of a rank does.
Outcome Supervisor::run() {
  try {
    while (!decision_ && (tasks_.is_wanted() || !roster_.all_done())) {
      handle_events(milliseconds_to_wait());
      tasks_.serve();
      look_at_time();
      tasks_.release_root();
    }
  } catch (const base::Error& error) {
    judge(Broken{.text = error.what()});
  }
  // Without the code, SIGTERM would wake a root process that sleeps in its exit handler to no end.
  if (decision_ && !tasks_.tell_root(decision_->exit_code)) first_signal_ = SIGKILL;
  end_everything();
  advise();
  drain_output();
  return outcome();
}

// --- events ---

// Stops watching a source that cannot be read. It would report for ever, and hide the others.
void Supervisor::handle_events(int milliseconds) {
  for (const Watcher::Happening& event : watcher_.next(milliseconds)) {
    try {
      handle(event);
    } catch (const base::Error&) {
      const bool reports_again = event.source == Watched::signals ||
                                 event.source == Watched::control ||
                                 event.source == Watched::job_socket;
      if (reports_again) watcher_.forget(event.descriptor);
      throw;
    }
  }
}

void Supervisor::handle(const Watcher::Happening& event) {
  switch (event.source) {
    case Watched::signals:
      return on_signals();
    case Watched::control:
      return tasks_.on_control(event.number);
    case Watched::process:
      return roster_.on_end(event.number);
    case Watched::output:
      return output_.on_output(event.number, 0);
    case Watched::error:
      return output_.on_output(event.number, 1);
    case Watched::stdout_ready:
      return output_.on_outlet(0);
    case Watched::stderr_ready:
      return output_.on_outlet(1);
    case Watched::job_socket:
      return tasks_.on_job_socket();
    case Watched::connection:
      return tasks_.on_connection(event.descriptor);
    case Watched::reaper:
      watcher_.forget(event.descriptor);
      return judge(ReaperEnded{});
    case Watched::timekeeper:
      watcher_.forget(event.descriptor);
      return on_timekeeper();
  }
}

// It ends before the last processes if these have said all that they do.
void Supervisor::on_timekeeper() {
  const std::uint32_t reported = options_.board->reported.see();
  if (reported == timed::TimedBoard::has_reported) return;
  judge(TimekeeperEnded{reported == timed::TimedBoard::has_failed
                            ? "the virtual time cannot go on"
                            : "the timekeeper of the virtual time was killed"});
}

// A signal from a terminal reaches the whole process group, the ranks included.
void Supervisor::on_signals() {
  while (const auto signal = watcher_.next_signal()) {
    if (signal->number == SIGCHLD) {
      roster_.reap();
      continue;
    }
    const auto since = Clock::now() - interrupted_at_;
    const bool again =
        interrupt_ != 0 && since > std::chrono::nanoseconds(mapping_.tuning().second_signal);
    // MPI's launcher tells all processes of its job to end, and no user does.
    if (!options_.pool && interrupt_ == 0 && asks_to_end(signal->number)) {
      interrupt_ = signal->number;
      interrupted_at_ = Clock::now();
    }
    judge(Signalled{signal->number, again, signal->of_terminal});
  }
}

int Supervisor::milliseconds_to_wait() const {
  const std::int64_t tick = mapping_.tuning().tick / 1'000'000;
  if (!deadline_) return static_cast<int>(tick);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, tick));
}

void Supervisor::look_at_time() {
  roster_.reap_kept();
  if (decision_) return;
  const auto now = Clock::now();
  if (deadline_ && now >= *deadline_) return judge(TimeUp{*options_.timeout});
  if (now < next_look_) return;
  next_look_ = now + std::chrono::nanoseconds(mapping_.tuning().standstill_look);
  look_at_waits();
}

// Looks for waits in vain. In unsupervised jobs ranks notice departures themselves, and a part of
// the job may not be seen from here. Others may still join by the job socket. In virtual time, the
// timekeeper ends all waits, and finds those that are in vain on the machine.
void Supervisor::look_at_waits() {
  const auto& header = mapping_.header();
  if (header.unsupervised != 0 || options_.job_socket >= 0 || options_.board != nullptr) return;
  const bool departures_matter = decision_on(WaitInVain{}).act != Act::go_on;
  const bool some_left = departures_matter && header.attached.see() != tasks_.started();
  if (!some_left && !all_asleep(mapping_)) return;
  const auto world = view_world(mapping_);
  if (some_left) {
    if (const auto lost = departures_.look(world)) {
      judge(WaitInVain{list_ranks({lost->waiter}, roster_.world_size()),
                       list_ranks({lost->departed}, roster_.world_size())});
    }
  }
  if (!decision_ && standstill_.look(world)) judge(AllWait{standstill_text(world)});
}

// --- decisions ---

Decision Supervisor::decision_on(const JobEvent& event) const {
  const std::optional<Aborted> aborted = roster_.aborted();
  return decide({.policy = mapping_.header().policy,
                 .below_mpi = options_.pool.has_value(),
                 .decided = decision_.has_value(),
                 .interrupt = interrupt_,
                 .abort = aborted ? &*aborted : nullptr},
                event);
}

void Supervisor::carry_out(const Decision& decision) {
  switch (decision.act) {
    case Act::go_on:
    case Act::look_closely:
    case Act::name:
    case Act::name_both:
      return;
    case Act::say:
      output_.say(fmt::format("{}: {}\n", options_.name, decision.reason));
      [[fallthrough]];
    case Act::keep_code:
      if (late_exit_code_ == 0) late_exit_code_ = decision.exit_code;
      return;
    case Act::pass_on:
      return roster_.signal_ranks(decision.signal);
    case Act::end_waits:
      mapping_.header().standstills.add(1);
      return roster_.wake_waiters();
    case Act::kill:
      first_signal_ = SIGKILL;
      return conclude(decision);
    case Act::end:
      return conclude(decision);
  }
}

void Supervisor::conclude(const Decision& decision) {
  if (decision_) return;
  decision_ = decision;
  if (options_.board != nullptr) timed::cut_short(*options_.board);
  const std::string report = report_of(decision);
  mapping_.header().ending.publish(1);
  roster_.wake_waiters();
  if (!decision.reason.empty()) output_.say(report);
}

std::string Supervisor::report_of(const Decision& decision) {
  const std::string report = fmt::format("{}: {}\n", options_.name, decision.reason);
  if (decision.states == States::none) return report;
  auto world = view_world(mapping_);
  if (decision.states == States::all_and_cycle) cycle_ = find_cycle(world);
  roster_.name_the_dead(world);
  states_.resize(static_cast<std::size_t>(roster_.slots()));
  for (const RankView& view : world) {
    if (view.rank == decision.culprit) continue;
    states_[static_cast<std::size_t>(view.rank)] = describe(view, options_.operation_name);
  }
  return report + report_states(mapping_, world, decision.culprit, options_.operation_name, cycle_);
}

// --- the end ---

// Ends all descendants. Orphans become children of this process, so if no child is left, no
// descendant is left. Where /proc does not list them, only those that are known can be ended.
void Supervisor::end_everything() {
  const auto impatient_at = Clock::now() + std::chrono::nanoseconds(mapping_.tuning().patience);
  int signal = first_signal_;
  for (bool told = false;;) {
    const bool children_left = roster_.reap();
    roster_.look_for_ends();
    if (!children_left && roster_.all_done()) return;
    if (roster_.all_done() && !proc_is_ours()) {
      return output_.say(
          fmt::format("{}: programs that the ranks have started may still run: without "
                      "/proc they cannot be found\n",
                      options_.name));
    }
    if (!told || signal == SIGKILL) {
      roster_.signal_everything(signal);
      told = true;
    }
    try {
      handle_events(10);
    } catch (const base::Error&) {
      // Without events nobody is given time, and the end of a process that is no child of this one
      // cannot be seen.
      if (signal == SIGKILL && !children_left) return;
      signal = SIGKILL;
    }
    if (Clock::now() >= impatient_at) signal = SIGKILL;
  }
}

// Advice goes the way of all that this supervisor says, so a reader that does not read cannot hold
// it up.
void Supervisor::advise() {
  if (!decision_ || options_.advice == nullptr) return;
  const std::string advice = options_.advice(outcome());
  if (!advice.empty()) output_.say(fmt::format("{}: {}\n", options_.name, advice));
}

// Passes on the output that is left. Every writer has ended, so each pipe has an end. A reader may
// take its time, unless the user ends the job by a signal or --timeout passes.
void Supervisor::drain_output() {
  const int signal = interrupt_;
  std::optional<Clock::time_point> until;
  while (output_.left() && interrupt_ == signal) {
    const auto now = Clock::now();
    if (!until && (signal != 0 || (deadline_ && now >= *deadline_)))
      until = now + std::chrono::nanoseconds(mapping_.tuning().last_output);
    if (until && now >= *until) break;
    try {
      handle_events(10);
    } catch (const base::Error& error) {
      return judge(Broken{.text = error.what()});
    }
  }
  if (interrupt_ != signal || (signal == 0 && output_.left()))
    judge(OutputUnread{options_.timeout.value_or(0)});
}

Outcome Supervisor::outcome() const {
  Outcome result;
  result.exit_code = decision_ ? decision_->exit_code : late_exit_code_;
  result.cut_short = decision_.has_value();
  if (decision_) result.reason = decision_->reason;
  result.cycle = cycle_;
  for (int rank = 0; rank < roster_.slots(); ++rank) {
    const Enrolled& one = roster_.at(rank);
    const auto slot = static_cast<std::size_t>(rank);
    result.ranks.push_back({rank, one.pid(), one.ending(),
                            slot < states_.size() ? states_[slot] : "", roster_.program_name(rank),
                            one.joined()});
  }
  return result;
}

}  // namespace tutti::launch
