// SPDX-License-Identifier: BSD-3-Clause
// The rules of a job say what an event means for it. They are a pure function, so they are tested
// without a process. docs/internals/supervisor.md shows them as a table, which the test reads: a
// row for each event, and a column for each policy.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "launch/outcome.hpp"
#include "transport/shm/segment.hpp"

namespace tutti::launch {

// --- events ---

// The root process is the program that the user started, in a job that starts its own world.
enum class Who : std::uint8_t { rank, task, root };

struct ProcessEnded {
  Who who = Who::rank;
  int rank = 0;  // its slot
  Ending ending{};
  bool has_left = false;       // it had called tutti_finalize
  bool has_joined = true;      // it had called tutti_init
  bool was_signalled = false;  // a process of the job has asked for a signal to it
  bool unwanted = false;       // not all of its spawn group could be started
  // Returns "rank 3 (pid 77, ./prog) was killed by signal 9 (Killed)". It is called only if that is
  // said, because the kernel's count of kills for want of memory explains one end each.
  std::function<std::string()> sentence{};
};
struct Aborted {
  Who who = Who::rank;
  int rank = 0, code = 1;
  std::string name{}, text{};
};
// A signal has reached the process that watches.
struct Signalled {
  int signal = 0;
  bool again = false;        // it comes some time after the one by which the user ends the job
  bool of_terminal = false;  // the ranks have got it, too
};
// Returns true if the user ends the job by this signal.
[[nodiscard]] bool asks_to_end(int signal);
struct TimeUp {
  double seconds = 0;  // of --timeout
};
// All processes wait, and nobody can send anything any more.
struct AllWait {
  std::string text{};
};
// A process waits for one that has left.
struct WaitInVain {
  std::string waiter{}, departed{};
};
// The process that the user started has ended.
struct ReaperEnded {};
// The timekeeper of a job in virtual time has ended before its ranks.
struct TimekeeperEnded {
  std::string text{};
};
// The end of a process cannot be noticed.
struct Unwatched {
  std::string text{};
};
// The one who watches cannot do its work.
struct Broken {
  int code = 1;
  std::string text{};
};
struct OutputLost {
  int error = 0;  // errno of the write
  std::string where{};
};
// All processes have ended, and the reader of their output has no more time.
struct OutputUnread {
  double seconds = 0;  // of --timeout
};
using JobEvent =
    std::variant<ProcessEnded, Aborted, Signalled, TimeUp, AllWait, WaitInVain, ReaperEnded,
                 TimekeeperEnded, Unwatched, Broken, OutputLost, OutputUnread>;
using Judge = std::function<void(const JobEvent&)>;

// --- facts ---

struct JobFacts {
  transport::shm::DeathPolicy policy = transport::shm::DeathPolicy::together;
  bool below_mpi = false;          // the launcher of an MPI has started the ranks, and ends them
  bool decided = false;            // there is a decision to end the job: the first one stands
  int interrupt = 0;               // the signal by which the user has ended the job; 0: none
  const Aborted* abort = nullptr;  // a process has aborted the job
  // Below MPI: a rank has exited a moment ago with code 0 and without leaving the job. Launchers
  // take that for a failure and kill the others.
  bool soon_after_exit = false;
};

// --- decisions ---

enum class Act : std::uint8_t {
  go_on,
  keep_code,     // it is the exit code of the job if nothing fails
  say,           // the job goes on, and the code is kept
  pass_on,       // the signal goes to all ranks
  end_waits,     // all waits end with TUTTI_PEER_LEFT
  look_closely,  // others may wait for this rank, which is then the cause of a failure
  name,          // this rank is the cause; the launcher of the MPI ends the job
  name_both,     // the rank that has exited before is the cause
  end,           // SIGTERM to all processes, and SIGKILL later
  kill           // SIGKILL to all processes
};
// A report tells what the other processes were doing, or does not.
enum class States : std::uint8_t { none, all, all_and_cycle };

struct Decision {
  Act act = Act::go_on;
  int exit_code = 0;
  std::string reason{};  // one line; empty: the job ends without a report
  States states = States::none;
  int culprit = -1;  // its own state is not told; -1: nobody's
  int signal = 0;    // to pass on
};

[[nodiscard]] Decision decide(const JobFacts& facts, const JobEvent& event);

}  // namespace tutti::launch
