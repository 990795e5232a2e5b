// SPDX-License-Identifier: BSD-3-Clause
// A supervisor joins five parts. The watcher reports events, the roster knows the processes and how
// they end, the task server answers requests, the output relay moves output, and the policy says
// what an event means for the job. The supervisor carries that out: it reports the first failure
// once, and leaves nothing running.
// `tutti run` forks one, and a program that starts its own world starts one.
//
// It changes the signals, the descriptor limit and the adoption of orphans of its process, so there
// is one per process.
#pragma once

#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "launch/job_policy.hpp"
#include "launch/output_relay.hpp"
#include "launch/roster.hpp"
#include "launch/supervisor_options.hpp"
#include "launch/task_server.hpp"
#include "launch/wait_graph.hpp"
#include "launch/watcher.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

// Returns how many ranks a supervisor can watch with the descriptors that this process may have; at
// most the capacity of a job.
[[nodiscard]] int ranks_that_fit(const OutputOptions& output = {});
// Throws Error(no_slot), which says how many fit, if n ranks do not.
void require_room(int n, const OutputOptions& output = {});

class Supervisor {
 public:
  Supervisor(transport::shm::Mapping& mapping, SupervisorOptions options);
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  // Watches a process that already runs and is the parent of this one. Without a pidfd, its end is
  // known from its control socket.
  void watch_root_process(int rank, pid_t pid, Descriptor pidfd, Descriptor control) {
    roster_.add_root(rank, pid, std::move(pidfd), std::move(control));
  }
  // Starts ranks first_rank ... world size - 1. If a program cannot be run, the job fails.
  void start(int first_rank) { tasks_.start(first_rank); }
  // Runs until every rank has ended or the job has failed; then ends all descendants. Reports on
  // stderr.
  [[nodiscard]] Outcome run();

 private:
  using Clock = std::chrono::steady_clock;

  void handle_events(int milliseconds);
  void handle(const Watcher::Happening& event);
  void on_signals();
  void on_timekeeper();
  void look_at_time();
  void look_at_waits();
  [[nodiscard]] int milliseconds_to_wait() const;

  [[nodiscard]] Decision decision_on(const JobEvent& event) const;
  void judge(const JobEvent& event) { carry_out(decision_on(event)); }
  // Returns the function by which the parts ask.
  [[nodiscard]] Judge as_judge() {
    return [this](const JobEvent& event) { judge(event); };
  }
  void carry_out(const Decision& decision);
  void conclude(const Decision& decision);
  [[nodiscard]] std::string report_of(const Decision& decision);

  void end_everything();
  void advise();
  void drain_output();
  [[nodiscard]] Outcome outcome() const;

  transport::shm::Mapping& mapping_;
  SupervisorOptions options_;
  // Taken before the watcher changes the signals.
  InheritedSettings inherited_;
  Watcher watcher_;
  Roster roster_;
  OutputRelay output_;
  TaskServer tasks_;
  std::optional<Clock::time_point> deadline_;
  Clock::time_point next_look_{};
  DepartureWatch departures_;
  StandstillWatch standstill_;
  std::optional<Decision> decision_;
  std::string cycle_;
  std::vector<std::string> states_;  // of the slots, when the job failed
  int late_exit_code_ = 0;  // first exit code, not 0, of an ending that did not end the job
  int interrupt_ = 0;       // the signal by which the user ended the job
  Clock::time_point interrupted_at_{};
  int first_signal_ = SIGTERM;  // the first of the two signals that end everything
};

}  // namespace tutti::launch
