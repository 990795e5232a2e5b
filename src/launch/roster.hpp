// SPDX-License-Identifier: BSD-3-Clause
// The processes of a job, by slot: first the ranks of the world, then the tasks. It notices how
// they end, asks the judge what that means, and then lets the other processes see it. It also
// signals them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/children.hpp"
#include "launch/job_policy.hpp"
#include "launch/memory_kills.hpp"
#include "launch/program.hpp"
#include "launch/report.hpp"
#include "launch/spawn.hpp"
#include "launch/supervisor_options.hpp"
#include "launch/watcher.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

// The process started for a slot (child) and the process that joined there (process). They are
// often the same, but a shell script may stand in between.
struct Enrolled {
  pid_t child = 0;
  bool child_done = true;
  Ending child_ending;
  pid_t process = 0;
  bool process_done = true;
  Ending process_ending;
  // A process has taken the endpoint and not said hello yet, and the child above it has ended.
  bool hello_expected = false;
  Descriptor control;
  Descriptor pidfd;  // of a process that is not the child
  // Held open: if this supervisor dies, the kernel kills the process at the other end.
  Descriptor death_pipe;
  // The program of the rank, or of the rank that a task descends from.
  const LaunchedProgram* program = nullptr;
  // The members from here on are for tasks only.
  std::string task_program;
  std::shared_ptr<const SpawnGroup> spawn_group;
  bool unwanted = false;     // not all of its spawn group could be started
  bool sent_signal = false;  // a process of the job has asked for a signal to it
  bool admitted = false;     // admitted by the job socket, but has not yet said hello
  int spare = -1;            // the spare process whose place the task takes; -1: none
  // This member is for ranks that MPI has started.
  bool dismissed = false;  // will make no more requests

  [[nodiscard]] bool done() const { return child_done && process_done && !hello_expected; }
  [[nodiscard]] bool joined() const { return process != 0; }
  [[nodiscard]] pid_t pid() const { return joined() ? process : child; }
  [[nodiscard]] bool ended() const { return joined() ? process_done : child_done; }
  [[nodiscard]] const Ending& ending() const { return joined() ? process_ending : child_ending; }
};

class Roster {
 public:
  Roster(transport::shm::Mapping& mapping, Watcher& watcher, const SupervisorOptions& options,
         Judge judge);

  [[nodiscard]] Enrolled& at(int rank) { return slots_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const Enrolled& at(int rank) const {
    return slots_[static_cast<std::size_t>(rank)];
  }
  [[nodiscard]] int slots() const { return static_cast<int>(slots_.size()); }
  [[nodiscard]] int world_size() const { return static_cast<int>(mapping_->header().world_size); }
  [[nodiscard]] bool is_task(int rank) const { return rank >= world_size(); }
  // The slot of the root process; -1: the job has none.
  [[nodiscard]] int root() const { return root_; }
  [[nodiscard]] bool all_done() const;
  // Returns true if all but the root process have ended.
  [[nodiscard]] bool others_done() const;
  [[nodiscard]] std::string program_name(int rank) const;
  // Returns a text such as "rank 3 (pid 77, ./prog)".
  [[nodiscard]] std::string name(int rank, pid_t pid) const;
  // Returns the abort of the job; nullopt if there is none, or none that is complete.
  [[nodiscard]] std::optional<Aborted> aborted() const;

  // Clears a slot for another task.
  Enrolled& renew(int rank);
  // Watches a process that already runs and is the parent of this one. Without a pidfd, its end is
  // known from its control socket.
  void add_root(int rank, pid_t pid, Descriptor pidfd, Descriptor control);
  // Watches the process at the other end of the death pipe, which has said hello.
  void on_hello(int rank, Descriptor death_pipe);

  // Asks for the ends of children. Returns true if this process still has some.
  bool reap();
  // Lets the system use the ids of children again that have ended while another process was copying
  // to their memory.
  void reap_kept() { children_.reap_kept(); }
  // Asks for the ends of all others, also of those that the system has refused to watch.
  void look_for_ends();
  // A pidfd has become readable.
  void on_end(int rank);
  // The process has closed its control socket.
  void on_silence(int rank);
  // Says in the views how those have ended that are dead already, although their end is still to be
  // handled. A process that has begun to end does so within moments, for which this waits.
  void name_the_dead(std::vector<RankView>& world) const;

  void signal_ranks(int signal) const;
  // Signals all descendants, and the processes of the job that are none.
  void signal_everything(int signal) const;
  // Sends a signal to a task. Nothing happens if the task has ended meanwhile.
  void signal_task(const SignalRequest& request);
  void wake_waiters() const;

 private:
  [[nodiscard]] Ending noted_ending(int rank) const;
  void refuse_to_watch(int rank, int error);
  void child_ended(int rank, Ending ending);
  void child_ended_before_joining(int rank, Ending ending);
  void process_ended(int rank, Ending ending);
  void close_stream(int rank);
  enum class Joined : bool { no, yes };
  void judge_end(int rank, pid_t pid, const Ending& ending, Joined joined = Joined::yes);
  void show_ending(int rank, const Ending& ending) const;
  void leave_endpoint(int rank, const Ending& ending) const;
  void retire(int rank);
  int note_end(pid_t pid, const Ending& ending);

  transport::shm::Mapping* mapping_;
  Watcher* watcher_;
  const SupervisorOptions* options_;
  Judge judge_;
  std::vector<Enrolled> slots_;
  Children children_;
  int root_ = -1;
  MemoryKills memory_kills_;
};

}  // namespace tutti::launch
