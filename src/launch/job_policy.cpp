// SPDX-License-Identifier: BSD-3-Clause
// One function for each policy. `together` has a rule for every event; the others say what is
// different with them.
#include "launch/job_policy.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

namespace tutti::launch {
namespace {

using transport::shm::DeathPolicy;

constexpr int timeout_exit_code = 124;  // exit code of timeout(1)

template <class... Rules>
struct Rulebook : Rules... {
  using Rules::operator()...;
};

// A process that has left the job and exits later may have any exit code.
bool is_failure(const ProcessEnded& event) {
  const bool gentle = event.has_left && event.ending.kind != EndingKind::signalled;
  return !event.ending.good() && !gentle && !event.unwanted;
}

Decision code_of(const ProcessEnded& event) {
  const int code = event.ending.kind == EndingKind::exited ? event.ending.value : 0;
  return code == 0 || event.unwanted ? Decision{} : Decision{Act::keep_code, code};
}

Decision in_silence(int exit_code, Act act = Act::end) {
  return {act, exit_code};
}

Decision of_abort(const Aborted& event) {
  return {Act::end, event.code,
          fmt::format("{} aborted with code {}{}{}", event.name, event.code,
                      event.text.empty() ? "" : ": ", event.text),
          States::all, event.rank};
}

// A process that aborts the job often ends before its abort is read, which is then the cause.
Decision of_failure(const JobFacts& facts, const ProcessEnded& event) {
  if (facts.abort != nullptr) return decide(facts, *facts.abort);
  if (event.ending.by(facts.interrupt))
    return {Act::end, code_of_signal(facts.interrupt),
            fmt::format("ended by {}", signal_name(facts.interrupt))};
  return {Act::end, event.ending.exit_code(), event.sentence(), States::all, event.rank};
}

Decision of_signal(const Signalled& event) {
  const bool passes = !event.again || !asks_to_end(event.signal);
  if (passes && event.of_terminal) return {};
  if (passes) return {.act = Act::pass_on, .signal = event.signal};
  return {Act::kill, code_of_signal(event.signal),
          fmt::format("killed by a second {}", signal_name(event.signal))};
}

std::string time_is_up(double seconds) {
  return fmt::format("time is up after {} s (--timeout)", seconds);
}

Decision of_unread_output(const JobFacts& facts, const OutputUnread& event) {
  if (facts.interrupt != 0) return in_silence(code_of_signal(facts.interrupt));
  return {Act::end, timeout_exit_code,
          time_is_up(event.seconds) +
              ": the ranks have ended, but not all of their output was read; see what keeps its "
              "reader, or give more time"};
}

// The first failure ends the job. If the reader of its output has gone, as in `tutti run ... |
// head`, it ends in silence, as the programs themselves would.
Decision together(const JobFacts& facts, const JobEvent& event) {
  return std::visit(
      Rulebook{
          [&](const ProcessEnded& e) { return is_failure(e) ? of_failure(facts, e) : code_of(e); },
          [](const Aborted& e) { return of_abort(e); },
          [](const Signalled& e) { return of_signal(e); },
          [](const TimeUp& e) {
            return Decision{Act::end, timeout_exit_code, time_is_up(e.seconds),
                            States::all_and_cycle};
          },
          [](const AllWait& e) {
            return Decision{Act::end, 1, e.text, States::all_and_cycle};
          },
          [](const WaitInVain& e) {
            return Decision{Act::end, 1,
                            fmt::format("{} has left while {} waits for it", e.departed, e.waiter),
                            States::all};
          },
          [](const ReaperEnded&) { return in_silence(code_of_signal(SIGKILL), Act::kill); },
          [](const TimekeeperEnded& e) {
            return Decision{Act::end, 1, e.text, States::all};
          },
          [](const Unwatched& e) {
            return Decision{Act::end, 1, e.text};
          },
          [](const Broken& e) {
            return Decision{Act::end, e.code, e.text};
          },
          [](const OutputLost& e) {
            if (e.error == EPIPE) return in_silence(code_of_signal(SIGPIPE));
            return Decision{Act::end, 1,
                            fmt::format("cannot write the job's output to {}: {}", e.where,
                                        std::strerror(e.error))};
          },
          [&](const OutputUnread& e) { return of_unread_output(facts, e); }},
      event);
}

// The job outlives its processes. If the user kills the root process, nobody is left to end the
// tasks. Exit codes of tasks concern only their parents. A task that ends before it could join has
// no name in any message yet, so nobody else may ever tell.
Decision tolerant(const JobFacts& facts, const JobEvent& event) {
  if (std::holds_alternative<AllWait>(event)) return {.act = Act::end_waits};
  if (std::holds_alternative<WaitInVain>(event)) return {};
  if (const auto* unwatched = std::get_if<Unwatched>(&event))
    return {.act = Act::say, .reason = unwatched->text};
  const auto* ended = std::get_if<ProcessEnded>(&event);
  if (ended == nullptr || ended->who == Who::root) return together(facts, event);
  if (!is_failure(*ended)) return ended->who == Who::task ? Decision{} : code_of(*ended);
  const int code = ended->who == Who::task ? 0 : ended->ending.exit_code();
  if (!ended->has_joined && !ended->was_signalled)
    return {Act::say, code, ended->sentence() + " before it joined"};
  if (facts.abort != nullptr) return decide(facts, *facts.abort);
  return code == 0 ? Decision{} : Decision{Act::keep_code, code};
}

// MPI's launcher ends the job, in its own words, and it tells all processes to end. A process that
// has aborted has said so itself.
Decision below_mpi(const JobFacts& facts, const JobEvent& event) {
  if (const auto* aborted = std::get_if<Aborted>(&event)) return in_silence(aborted->code);
  const auto* signalled = std::get_if<Signalled>(&event);
  if (signalled != nullptr && asks_to_end(signalled->signal))
    return facts.decided ? Decision{} : in_silence(code_of_signal(signalled->signal));
  if (std::holds_alternative<WaitInVain>(event)) return {.act = Act::name};
  const auto* ended = std::get_if<ProcessEnded>(&event);
  if (ended == nullptr) return together(facts, event);
  if (ended->has_left) return {};
  if (facts.abort != nullptr) return decide(facts, *facts.abort);
  if (ended->ending.good()) return {.act = Act::look_closely};
  // Launchers end ranks by these two signals.
  const bool as_launchers_do = ended->ending.by(SIGKILL) || ended->ending.by(SIGTERM);
  return {.act = as_launchers_do && facts.soon_after_exit ? Act::name_both : Act::name};
}

// The tasks of a job below MPI are supervised like those of any other job.
bool concerns_a_task(const JobEvent& event) {
  const auto* ended = std::get_if<ProcessEnded>(&event);
  const auto* aborted = std::get_if<Aborted>(&event);
  return (ended != nullptr && ended->who == Who::task) ||
         (aborted != nullptr && aborted->who == Who::task) ||
         std::holds_alternative<Unwatched>(event);
}

// A job that ends may be ended faster, and everybody may be told whose end nobody will notice.
bool counts_after_decision(const JobEvent& event) {
  return std::holds_alternative<Signalled>(event) || std::holds_alternative<ReaperEnded>(event) ||
         std::holds_alternative<Unwatched>(event);
}

}  // namespace

bool asks_to_end(int signal) {
  return signal != SIGUSR1 && signal != SIGUSR2;
}

Decision decide(const JobFacts& facts, const JobEvent& event) {
  if (facts.decided && !counts_after_decision(event)) return {};
  if (facts.below_mpi && !concerns_a_task(event)) return below_mpi(facts, event);
  switch (facts.policy) {
    case DeathPolicy::together:
      return together(facts, event);
    case DeathPolicy::tolerant:
      return tolerant(facts, event);
  }
  return {};
}

}  // namespace tutti::launch
