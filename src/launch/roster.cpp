// SPDX-License-Identifier: BSD-3-Clause
// Notices ends. The judge hears of an end before the other processes can see it, because its report
// says what they were doing then.
#include "launch/roster.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "launch/descendants.hpp"
#include "launch/process.hpp"
#include "transport/shm/lent_book.hpp"
#include "transport/shm/slots.hpp"
#include "transport/shm/wake.hpp"

namespace tutti::launch {
namespace {

using transport::shm::Presence;
using transport::shm::slot_of;

// Signals a process that is no child of this one. The root process is the parent, as long as it
// lives, and needs no pidfd for that.
void signal_process(const Enrolled& one, int signal) {
  if (one.pidfd.valid()) {
    send_signal(one.pidfd.get(), one.process, signal);
  } else if (one.process == ::getppid()) {
    // Failure is harmless: the process has ended.
    ::kill(one.process, signal);
  }
}

// Signals the processes of a slot but those that were told.
template <class Told>
void signal_both(const Enrolled& one, int signal, const Told& told) {
  // Failure is harmless: the process has ended, and waitpid() tells how.
  if (!one.child_done && !told(one.child)) ::kill(one.child, signal);
  if (!one.process_done && one.process != one.child && !told(one.process))
    signal_process(one, signal);
}

}  // namespace

Roster::Roster(transport::shm::Mapping& mapping, Watcher& watcher, const SupervisorOptions& options,
               Judge judge)
    : mapping_(&mapping),
      watcher_(&watcher),
      options_(&options),
      judge_(std::move(judge)),
      slots_(mapping.header().world_size),
      children_(mapping) {
  std::size_t rank = 0;
  for (const LaunchedProgram& program : options.programs) {
    for (int left = program.ranks; left > 0 && rank < slots_.size(); --left)
      slots_[rank++].program = &program;
  }
}

bool Roster::all_done() const {
  return std::ranges::all_of(slots_, &Enrolled::done);
}

bool Roster::others_done() const {
  return std::ranges::all_of(
      slots_, [this](const Enrolled& one) { return one.done() || &one == &at(root_); });
}

std::string Roster::program_name(int rank) const {
  if (is_task(rank)) return at(rank).task_program;
  return at(rank).program != nullptr ? at(rank).program->arguments.front() : "";
}

std::string Roster::name(int rank, pid_t pid) const {
  const std::string short_form = list_ranks({rank}, world_size());
  if (!is_task(rank) && options_->pool) return fmt::format("{} (pid {})", short_form, pid);
  return fmt::format("{} (pid {}, {})", short_form, pid, program_name(rank));
}

std::optional<Aborted> Roster::aborted() const {
  const auto& header = mapping_->header();
  if (header.abort_state.see() != 2) return std::nullopt;
  const int rank = header.abort_endpoint;
  return Aborted{is_task(rank) ? Who::task : Who::rank,
                 rank,
                 header.abort_code,
                 name(rank, mapping_->endpoint(rank).pid.see()),
                 {header.abort_text, ::strnlen(header.abort_text, sizeof header.abort_text)}};
}

// --- processes that join ---

Enrolled& Roster::renew(int rank) {
  const auto slot = static_cast<std::size_t>(rank);
  if (slots_.size() <= slot) slots_.resize(slot + 1);
  return slots_[slot] = {};
}

void Roster::add_root(int rank, pid_t pid, Descriptor pidfd, Descriptor control) {
  Enrolled& one = at(rank);
  root_ = rank;
  one.process = pid;
  one.process_done = false;
  one.pidfd = std::move(pidfd);
  one.control = std::move(control);
  if (one.pidfd.valid()) watcher_->watch(one.pidfd.get(), Watched::process, rank);
  watcher_->watch(one.control.get(), Watched::control, rank);
}

// Stores the pid of the process as the job's other processes see it. waitpid tells of the end of a
// child, so only other processes need a pidfd.
void Roster::on_hello(int rank, Descriptor death_pipe) {
  Enrolled& one = at(rank);
  one.admitted = false;
  one.hello_expected = false;
  one.death_pipe = std::move(death_pipe);
  continue_at_end(one.death_pipe.get());
  if (rank == root_) return;  // watched from the start
  const pid_t pid = pid_of_peer(one.death_pipe);
  if (one.process == pid && pid != 0) return;
  // If this throws, nobody waits for the end of a process that is not watched.
  const bool is_child = pid == one.child && !one.child_done;
  Descriptor pidfd = is_child ? Descriptor() : pidfd_of_peer(one.death_pipe);
  const int error = errno;
  if (pid != 0) mapping_->endpoint(rank).pid.publish(pid);
  one.process = mapping_->endpoint(rank).pid.see();
  one.process_done = false;
  if (is_child && children_.are_kept()) mapping_->endpoint(rank).kept_at_end.publish(1);
  if (is_child) return;
  one.pidfd = std::move(pidfd);
  if (one.pidfd.valid()) return watcher_->watch(one.pidfd.get(), Watched::process, rank);
  if (error != ESRCH) refuse_to_watch(rank, error);
  process_ended(rank, noted_ending(rank));
}

// Says that the end of a process cannot be noticed, and lets the kernel kill it.
void Roster::refuse_to_watch(int rank, int error) {
  const std::string who = name(rank, at(rank).process);
  std::string why = "it is in a pid namespace that is not visible from here";
  if (error != EINVAL) {
    why = fmt::format(
        "the system refuses pidfd_open ({}), which needs Linux 5.3 and a sandbox that allows it; a "
        "program without a shell around it can do without",
        std::strerror(error));
  }
  at(rank).death_pipe.reset();
  judge_(Unwatched{fmt::format("{} cannot be watched: {}", who, why)});
}

// --- ends ---

bool Roster::reap() {
  std::vector<pid_t> running;
  for (const Enrolled& one : slots_)
    if (!one.child_done) running.push_back(one.child);
  return children_.reap(running,
                        [this](pid_t pid, const Ending& ending) { return note_end(pid, ending); });
}

// Notes the end of a child, and returns its slot; -1: it had none.
int Roster::note_end(pid_t pid, const Ending& ending) {
  int slot = -1;
  for (int rank = 0; rank < slots(); ++rank) {
    if (at(rank).process == pid) slot = rank;
    if (at(rank).child == pid && !at(rank).child_done) child_ended(rank, ending);
    if (at(rank).process == pid && !at(rank).process_done)
      process_ended(rank, ending);  // the process is an adopted orphan
  }
  return slot;
}

void Roster::look_for_ends() {
  for (int rank = 0; rank < slots(); ++rank) {
    if (at(rank).process_done || !at(rank).pidfd.valid()) continue;
    pollfd end{at(rank).pidfd.get(), POLLIN, 0};
    if (::poll(&end, 1, 0) > 0) on_end(rank);
  }
}

void Roster::on_end(int rank) {
  const Enrolled& one = at(rank);
  if (one.process_done) return;
  process_ended(rank,
                ending_of(one.pidfd.get(), one.process, mapping_->endpoint(rank).exit_note.see()));
}

// The root process keeps its socket until it ends. Valgrind before version 3.22, some sandboxes and
// old kernels give no pidfd of it.
void Roster::on_silence(int rank) {
  Enrolled& one = at(rank);
  if (one.hello_expected) {
    one.process = mapping_->endpoint(rank).pid.see();
    process_ended(rank, noted_ending(rank));
  }
  if (rank == root_ && !one.pidfd.valid() && !one.process_done)
    process_ended(rank, noted_ending(rank));
}

// Returns the ending that a process has noted in its endpoint.
Ending Roster::noted_ending(int rank) const {
  const auto note = mapping_->endpoint(rank).exit_note.see();
  if (note == 0) return {EndingKind::unknown, 0};
  return {EndingKind::exited, static_cast<int>(note - 1)};
}

void Roster::child_ended(int rank, Ending ending) {
  Enrolled& one = at(rank);
  one.child_done = true;
  one.child_ending = ending;
  if (one.process == one.child) return process_ended(rank, ending);
  if (!one.joined()) return child_ended_before_joining(rank, ending);
  // The child was a shell around the process that joined.
  judge_end(rank, one.child, ending);
  retire(rank);
}

void Roster::child_ended_before_joining(int rank, Ending ending) {
  Enrolled& one = at(rank);
  auto& endpoint = mapping_->endpoint(rank);
  Presence seen = Presence::expected;
  std::int32_t nobody = 0;
  show_ending(rank, ending);
  endpoint.pid.replace(nobody, one.child);
  if (endpoint.presence.show_instead(seen, ending.good() ? Presence::left : Presence::dead)) {
    judge_end(rank, one.child, ending, Joined::no);
    close_stream(rank);
    return retire(rank);
  }
  // A process has taken the endpoint, but its hello is still on its way or will never come. If it
  // is not the child, its end closes the control socket.
  if (endpoint.pid.see() == one.child) {
    one.process = one.child;
    return process_ended(rank, ending);
  }
  judge_end(rank, one.child, ending);
  one.hello_expected = true;
  if (!one.control.valid()) on_silence(rank);
}

void Roster::process_ended(int rank, Ending ending) {
  Enrolled& one = at(rank);
  one.process_done = true;
  one.hello_expected = false;
  one.process_ending = ending;
  watcher_->drop(one.pidfd);
  judge_end(rank, one.process, ending);
  close_stream(rank);
  transport::shm::abandon(*mapping_, rank);
  leave_endpoint(rank, ending);
  retire(rank);
}

// The timekeeper of a job in virtual time waits for nothing more from this process. It is told
// after the end was judged. Before that it might say that others wait for the process in vain.
void Roster::close_stream(int rank) {
  if (options_->board != nullptr && !is_task(rank)) timed::close_stream(*options_->board, rank);
}

void Roster::judge_end(int rank, pid_t pid, const Ending& ending, Joined joined) {
  const Enrolled& one = at(rank);
  ProcessEnded event{.who = rank == root_   ? Who::root
                            : is_task(rank) ? Who::task
                                            : Who::rank,
                     .rank = rank,
                     .ending = ending,
                     .has_left = mapping_->endpoint(rank).presence.see() == Presence::finalized,
                     .has_joined = joined == Joined::yes,
                     .was_signalled = one.sent_signal,
                     .unwanted = one.unwanted};
  event.sentence = [this, rank, pid, &ending] {
    return fmt::format("{} {}{}", name(rank, pid), text_of(ending),
                       memory_kills_.reason_of(ending));
  };
  judge_(event);
}

// Lets the other processes say how this one ended. Called before they can see that it has ended.
void Roster::show_ending(int rank, const Ending& ending) const {
  using namespace transport::shm;
  const auto value = static_cast<std::uint32_t>(ending.value) & 0xffU;
  std::uint32_t shown = 0;
  if (ending.kind == EndingKind::exited) shown = ending_exited | value;
  if (ending.kind == EndingKind::signalled) shown = ending_killed | value;
  mapping_->endpoint(rank).ending.publish(shown);
}

void Roster::leave_endpoint(int rank, const Ending& ending) const {
  show_ending(rank, ending);
  Presence seen = Presence::attached;
  if (!mapping_->endpoint(rank).presence.show_instead(
          seen, ending.good() ? Presence::left : Presence::dead)) {
    return;
  }
  mapping_->header().attached.subtract(1);
  transport::shm::note_departure(*mapping_, rank);
  wake_waiters();
}

// Releases what is held for a task that has ended. Its slot stays taken until no process that knew
// the task can touch the memory it shared.
void Roster::retire(int rank) {
  Enrolled& one = at(rank);
  if (!is_task(rank) || !one.done()) return;
  watcher_->drop(one.control);
  one.death_pipe.reset();
  transport::shm::note_departure(*mapping_, rank);
  wake_waiters();
}

void Roster::name_the_dead(std::vector<RankView>& world) const {
  constexpr int most_pauses = 50;  // of a millisecond, for all of them
  int pauses = 0;
  for (RankView& view : world) {
    const Enrolled& one = at(view.rank);
    if (one.pid() == 0) continue;
    Ending ending = one.ending();
    if (!one.ended()) {
      ending = peek_ending(one.pidfd.get(), one.pid());
      while (ending.kind == EndingKind::running && pauses < most_pauses && is_ending(one.pid())) {
        ++pauses;
        ::poll(nullptr, 0, 1);
        ending = peek_ending(one.pidfd.get(), one.pid());
      }
    }
    if (ending.kind != EndingKind::running) view.ended = text_of(ending);
  }
}

// --- signals ---

void Roster::signal_ranks(int signal) const {
  for (const Enrolled& one : slots_) signal_both(one, signal, [](pid_t) { return false; });
}

// The supervisor knows only the processes of the job if /proc lists no descendants.
void Roster::signal_everything(int signal) const {
  const std::vector<pid_t> below = descendants().value_or(std::vector<pid_t>());
  // Failure is harmless: the process has ended.
  for (const pid_t pid : below) ::kill(pid, signal);
  const auto told = [&below](pid_t pid) { return std::ranges::find(below, pid) != below.end(); };
  for (const Enrolled& one : slots_) signal_both(one, signal, told);
}

void Roster::signal_task(const SignalRequest& request) {
  const int slot = slot_of(request.endpoint);
  if (slot >= slots() || mapping_->endpoint(slot).generation.see() !=
                             transport::shm::generation_of(request.endpoint)) {
    return;
  }
  Enrolled& one = at(slot);
  one.sent_signal = one.sent_signal || request.signal != 0;
  if (!is_task(slot) && one.control.valid()) {  // a rank that MPI has started
    send_signal(one.pidfd.get(), one.process, request.signal);
  } else if (one.joined() && one.process != one.child) {
    if (!one.process_done) send_signal(one.pidfd.get(), one.process, request.signal);
  } else if (!one.child_done) {
    // Failure is harmless: the process has ended, and waitpid() tells how.
    ::kill(one.child, request.signal);
  }
}

void Roster::wake_waiters() const {
  for (int rank = 0; rank < slots(); ++rank) transport::shm::wake(mapping_->endpoint(rank));
}

}  // namespace tutti::launch
