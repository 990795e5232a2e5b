// SPDX-License-Identifier: BSD-3-Clause
// The supervisor's rules: which ending is a failure, and what a failure does. The first decision
// stands.
#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "launch/process.hpp"
#include "launch/supervisor.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::launch {

using transport::shm::DeathPolicy;
using transport::shm::Presence;
using transport::shm::SegmentHeader;

namespace {

constexpr int timeout_exit_code = 124;  // exit code of timeout(1)

}  // namespace

std::string Supervisor::short_name(int rank) const {
  return fmt::format("{} {}", is_task(rank) ? "task" : "rank", rank);
}

std::string Supervisor::program_name(int rank) const {
  const Watched& watched = ranks_[static_cast<std::size_t>(rank)];
  if (is_task(rank)) return watched.task_program;
  return watched.program != nullptr ? watched.program->arguments.front() : "";
}

std::string Supervisor::rank_name(int rank, pid_t pid) const {
  if (!is_task(rank) && options_.pool) return fmt::format("{} (pid {})", short_name(rank), pid);
  return fmt::format("{} (pid {}, {})", short_name(rank), pid, program_name(rank));
}

// Remembers an exit code that counts if nothing fails. Codes of tasks in a tolerant job do not
// count, because they concern only the parents of the tasks.
void Supervisor::remember(int rank, const Ending& ending) {
  if (is_task(rank) && mapping_.header().policy == DeathPolicy::tolerant) return;
  if (late_exit_code_ == 0) late_exit_code_ = ending.exit_code();
}

// Watches the process that has said hello, and stores its pid as the job's other processes see it.
// waitpid tells of the end of a child, so only other processes need a pidfd.
void Supervisor::register_process(int rank) {
  Watched& watched = at(rank);
  continue_at_end(watched.death_pipe.get());
  if (rank == root_process_) return;  // watched from the start
  const pid_t pid = pid_of_peer(watched.death_pipe);
  if (watched.process == pid && pid != 0) return;
  // If this throws, nobody waits for the end of a process that is not watched.
  const bool is_child = pid == watched.child && !watched.child_done;
  Descriptor pidfd = is_child ? Descriptor() : pidfd_of_peer(watched.death_pipe);
  const int error = errno;
  if (pid != 0) mapping_.endpoint(rank).pid.publish(pid);
  watched.process = mapping_.endpoint(rank).pid.see();
  watched.process_done = false;
  if (is_child) return;
  watched.pidfd = std::move(pidfd);
  if (watched.pidfd.valid()) return watch(watched.pidfd.get(), Source::process, rank);
  if (error != ESRCH) refuse_to_watch(rank, error);
  process_ended(rank, noted_ending(rank));
}

// Says that the end of a process cannot be noticed, and lets the kernel kill it.
void Supervisor::refuse_to_watch(int rank, int error) {
  Watched& watched = at(rank);
  const std::string who = rank_name(rank, watched.process);
  std::string why = "it is in a pid namespace that is not visible from here";
  if (error != EINVAL) {
    why = fmt::format(
        "the system refuses pidfd_open ({}), which needs Linux 5.3 and a sandbox that allows it; a "
        "program without a shell around it can do without",
        std::strerror(error));
  }
  const std::string text = fmt::format("{} cannot be watched: {}", who, why);
  watched.death_pipe.reset();
  if (mapping_.header().policy != DeathPolicy::tolerant) return conclude({1, text}, States::omit);
  say(fmt::format("{}: {}\n", options_.name, text));
}

// Lets the other processes say how this one ended. Called before they can see that it has ended.
void Supervisor::show_ending(int rank, const Ending& ending) {
  using namespace transport::shm;
  const auto value = static_cast<std::uint32_t>(ending.value) & 0xffU;
  std::uint32_t shown = 0;
  if (ending.kind == EndingKind::exited) shown = ending_exited | value;
  if (ending.kind == EndingKind::signalled) shown = ending_killed | value;
  mapping_.endpoint(rank).ending.publish(shown);
}

// Returns the ending that a process has noted in its endpoint.
Ending Supervisor::noted_ending(int rank) const {
  const auto note = mapping_.endpoint(rank).exit_note.see();
  if (note == 0) return {EndingKind::unknown, 0};
  return {EndingKind::exited, static_cast<int>(note - 1)};
}

void Supervisor::child_ended(int rank, Ending ending) {
  Watched& watched = at(rank);
  watched.child_done = true;
  watched.child_ending = ending;
  if (watched.process == watched.child) return process_ended(rank, ending);
  if (watched.process == 0) return child_ended_before_joining(rank, ending);
  // The child was a shell around the process that joined.
  if (ending.good()) return retire(rank);
  const bool finished = mapping_.endpoint(rank).presence.see() == Presence::finalized;
  if (finished && ending.kind == EndingKind::exited) {
    remember(rank, ending);
  } else {
    failed(rank, watched.child, ending);
  }
  retire(rank);
}

void Supervisor::child_ended_before_joining(int rank, Ending ending) {
  Watched& watched = at(rank);
  auto& endpoint = mapping_.endpoint(rank);
  Presence seen = Presence::expected;
  std::int32_t nobody = 0;
  show_ending(rank, ending);
  endpoint.pid.replace(nobody, watched.child);
  if (endpoint.presence.show_instead(seen, ending.good() ? Presence::left : Presence::dead)) {
    if (!ending.good()) {
      say_died_early(rank, ending);
      failed(rank, watched.child, ending);
    }
    return retire(rank);
  }
  // A process has taken the endpoint, but its hello is still on its way or will never come. If it
  // is not the child, its end closes the control socket.
  if (endpoint.pid.see() == watched.child) {
    watched.process = watched.child;
    return process_ended(rank, ending);
  }
  if (!ending.good()) failed(rank, watched.child, ending);
  watched.hello_expected = true;
  if (!watched.control.valid()) ended_before_hello(rank);
}

// Names a task that has ended before it could join. In a job that tolerates deaths nobody else may
// ever tell: the task has no name in any message yet.
void Supervisor::say_died_early(int rank, const Ending& ending) {
  const Watched& watched = at(rank);
  const bool tolerated = mapping_.header().policy == DeathPolicy::tolerant;
  if (!tolerated || decision_ || watched.unwanted || watched.sent_signal) return;
  say(fmt::format("{}: {} {}{} before it joined\n", options_.name, rank_name(rank, watched.child),
                  text_of(ending), memory_kills_.reason_of(ending)));
}

void Supervisor::ended_before_hello(int rank) {
  at(rank).process = mapping_.endpoint(rank).pid.see();
  process_ended(rank, noted_ending(rank));
}

void Supervisor::leave_endpoint(int rank, const Ending& ending) {
  show_ending(rank, ending);
  Presence seen = Presence::attached;
  if (!mapping_.endpoint(rank).presence.show_instead(
          seen, ending.good() ? Presence::left : Presence::dead)) {
    return;
  }
  mapping_.header().attached.subtract(1);
  transport::shm::note_departure(mapping_, rank);
  wake_waiters();
}

void Supervisor::process_ended(int rank, Ending ending) {
  Watched& watched = at(rank);
  watched.process_done = true;
  watched.hello_expected = false;
  watched.process_ending = ending;
  unwatch(watched.pidfd);
  const bool finished = mapping_.endpoint(rank).presence.see() == Presence::finalized;
  const bool gentle = finished && ending.kind != EndingKind::signalled;
  if (!gentle && !ending.good()) {
    failed(rank, watched.process, ending);
  } else if (ending.kind == EndingKind::exited) {
    remember(rank, ending);
  }
  transport::shm::abandon(mapping_, rank);
  leave_endpoint(rank, ending);
  retire(rank);
}

void Supervisor::failed(int rank, pid_t pid, const Ending& ending) {
  if (decision_ || at(rank).unwanted || concluded_by_abort()) return;
  // If the user kills the root process of a tolerant job, nobody is left to end the tasks, so its
  // death ends the job.
  if (mapping_.header().policy == DeathPolicy::tolerant && rank != root_process_)
    return remember(rank, ending);
  if (interrupt_ != 0 && ending.kind == EndingKind::signalled && ending.value == interrupt_) {
    conclude({128 + interrupt_, fmt::format("ended by {}", signal_name(interrupt_))}, States::omit);
    return;
  }
  conclude({ending.exit_code(), fmt::format("{} {}{}", rank_name(rank, pid), text_of(ending),
                                            memory_kills_.reason_of(ending))},
           States::tell, rank);
}

// Returns true if there is a complete abort. It becomes the exit decision unless there was one
// before.
bool Supervisor::concluded_by_abort() {
  const SegmentHeader& header = mapping_.header();
  if (header.abort_state.see() != 2) return false;
  const int rank = header.abort_endpoint;
  if (options_.pool && !is_task(rank))
    return end_quietly(header.abort_code);  // the rank has reported the abort itself
  const std::string text(header.abort_text, ::strnlen(header.abort_text, sizeof header.abort_text));
  conclude({header.abort_code, fmt::format("{} aborted with code {}{}{}",
                                           rank_name(rank, mapping_.endpoint(rank).pid.see()),
                                           header.abort_code, text.empty() ? "" : ": ", text)},
           States::tell, rank);
  return true;
}

Supervisor::ExitDecision Supervisor::time_is_up() const {
  return {timeout_exit_code, fmt::format("time is up after {} s (--timeout)", *options_.timeout)};
}

void Supervisor::check_timers() {
  if (decision_) return;
  const auto now = Clock::now();
  if (deadline_ && now >= *deadline_) {
    cycle_ = find_cycle(view_world(mapping_));
    return conclude(time_is_up(), States::tell);
  }
  const SegmentHeader& header = mapping_.header();
  if (now < next_look_) return;
  next_look_ = now + std::chrono::nanoseconds(mapping_.tuning().standstill_look);
  if (header.policy == DeathPolicy::tolerant) return look_for_standstill();
  const bool all_here = header.attached.see() == started_;
  if (all_here && !all_asleep(mapping_)) return;
  const auto world = view_world(mapping_);
  if (!all_here) look_for_lost_wait(world);
  if (!decision_ && header.unsupervised == 0 && standstill_.look(world)) {
    cycle_ = find_cycle(world);
    conclude({1, standstill_text(world)}, States::tell);
  }
}

// Ends all waits of a job that tolerates deaths if none of them can end otherwise. If others may
// still join by the job socket, nothing is done, and neither is it under MPI, where a part of the
// job may not be seen from here.
void Supervisor::look_for_standstill() {
  const bool closed = options_.job_socket < 0 && mapping_.header().unsupervised == 0;
  if (!closed || !all_asleep(mapping_) || !standstill_.look(view_world(mapping_))) return;
  mapping_.header().standstills.add(1);
  wake_waiters();
}

// In unsupervised jobs, ranks that wait notice departures themselves.
void Supervisor::look_for_lost_wait(const std::vector<RankView>& world) {
  if (mapping_.header().unsupervised != 0) return;
  if (const auto lost = departures_.look(world)) {
    conclude({1, fmt::format("{} has left while {} waits for it", short_name(lost->departed),
                             short_name(lost->waiter))},
             States::tell);
  }
}

void Supervisor::conclude(ExitDecision decision, States states, int culprit) {
  if (decision_) return;
  decision_ = std::move(decision);
  std::string report = fmt::format("{}: {}\n", options_.name, decision_->reason);
  if (states == States::tell) {
    auto world = view_world(mapping_);
    name_the_dead(world);
    for (const auto& view : world) {
      if (view.rank != culprit) at(view.rank).state = describe(view, options_.operation_name);
    }
    report += describe_world(world, culprit, options_.operation_name);
    if (!cycle_.empty()) report += fmt::format("  {}: {}\n", "cycle", cycle_);
    report += failure_note(mapping_);
  }
  mapping_.header().ending.publish(1);
  wake_waiters();
  if (!decision_->reason.empty()) say(report);
}

// Says how those have ended that are dead already, although their end is still to be handled. A
// process that has begun to end does so within moments, for which this waits.
void Supervisor::name_the_dead(std::vector<RankView>& world) const {
  constexpr int most_pauses = 50;  // of a millisecond, for all of them
  int pauses = 0;
  for (RankView& view : world) {
    const Watched& watched = ranks_[static_cast<std::size_t>(view.rank)];
    const bool joined = watched.process != 0;
    const pid_t pid = joined ? watched.process : watched.child;
    if (pid == 0) continue;
    Ending ending = joined ? watched.process_ending : watched.child_ending;
    if (!(joined ? watched.process_done : watched.child_done)) {
      ending = peek_ending(watched.pidfd.get(), pid);
      while (ending.kind == EndingKind::running && pauses < most_pauses && is_ending(pid)) {
        ++pauses;
        ::poll(nullptr, 0, 1);
        ending = peek_ending(watched.pidfd.get(), pid);
      }
    }
    if (ending.kind != EndingKind::running) view.ended = text_of(ending);
  }
}

// By the way of all that this supervisor says: a reader that does not read cannot hold it up.
void Supervisor::advise() {
  if (!decision_ || options_.advice == nullptr) return;
  const std::string advice = options_.advice(outcome());
  if (!advice.empty()) say(fmt::format("{}: {}\n", options_.name, advice));
}

// Ends the job at once and silently. The user has killed the process that stood for it.
void Supervisor::on_end_of_reaper() {
  forget(options_.reaper);
  first_signal_ = SIGKILL;
  conclude({128 + SIGKILL, ""}, States::omit);
}

Outcome Supervisor::outcome() const {
  Outcome result;
  result.exit_code = decision_ ? decision_->exit_code : late_exit_code_;
  result.cut_short = decision_.has_value();
  if (decision_) result.reason = decision_->reason;
  result.cycle = cycle_;
  for (int rank = 0; rank < slots(); ++rank) {
    const Watched& watched = ranks_[static_cast<std::size_t>(rank)];
    const bool joined = watched.process != 0;
    result.ranks.push_back({rank, joined ? watched.process : watched.child,
                            joined ? watched.process_ending : watched.child_ending, watched.state,
                            program_name(rank), joined});
  }
  return result;
}

void Supervisor::wake_waiters() {
  for (int rank = 0; rank < slots(); ++rank) transport::shm::wake(mapping_.endpoint(rank));
}

}  // namespace tutti::launch
