// SPDX-License-Identifier: BSD-3-Clause
// Starts the processes of a job and serves them: the ranks at the beginning, and then the tasks
// that any process asks for. Processes that nobody has started join by the job socket. Below an
// MPI, the ranks that it has started ask for tasks, which take the places of spare processes.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "launch/output_relay.hpp"
#include "launch/process.hpp"
#include "launch/roster.hpp"

namespace tutti::launch {

// The settings that this process was started with, and that it gives to those it starts.
struct InheritedSettings {
  SignalSettings signals;
  rlimit descriptors{};
};

class TaskServer {
 public:
  // The judge is told when a process cannot be started or served, and when one aborts the job. It
  // also says whether the job ends, and then nothing is served.
  struct JobJudge {
    Judge judge;
    std::function<bool()> job_ends;
  };
  TaskServer(transport::shm::Mapping& mapping, Watcher& watcher, Roster& roster,
             OutputRelay& output, const SupervisorOptions& options,
             const InheritedSettings& inherited, JobJudge judge);

  // Starts ranks first_rank ... world size - 1. If a program cannot be run, the job fails.
  void start(int first_rank);

  void on_control(int rank);
  void on_job_socket();
  void on_connection(int descriptor);
  // Serves the requests that are open. That comes after a whole batch of events, which
  // may still concern slots that new tasks will reuse.
  void serve();

  // Returns true as long as a rank that MPI has started may make requests.
  [[nodiscard]] bool is_wanted() const;
  // Returns how many ranks and tasks were ever started or admitted.
  [[nodiscard]] std::uint32_t started() const { return started_; }

  // Lets the root process go, which waits in exit() until all others have ended.
  void release_root();
  // Tells the root process the exit code of the job. A process that a signal ends has none. Returns
  // false if it cannot be told.
  [[nodiscard]] bool tell_root(int exit_code) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct TaskRequest {
    int id;  // of the process that asks
    std::string bytes;
    Descriptor output;  // stdout of the rank that asks
    Clock::time_point asked_at;
  };
  struct PendingClient {
    Descriptor socket;
    std::string program;
  };
  struct Start {
    int id;
    int world_rank;
    int world_size;
    const std::string* executable;
    const std::vector<std::string>* arguments;
    // Becomes stdout, unless output passes through the supervisor; -1: stdout of the supervisor.
    int output = -1;
    int error = -1;  // becomes stderr, and nothing passes through the supervisor; -1: inherited
    int spare = -1;
  };

  // Returns the descriptor of the segment for those that join.
  [[nodiscard]] int segment() const;
  // Returns folder and variables of the program that a rank runs or descends from.
  [[nodiscard]] const Setting& setting_of(int rank) const;
  [[nodiscard]] StartResult start_process_of(const Start& start);
  void tell(const Descriptor& socket, const ControlMessage& message, int passed = -1,
            std::string_view payload = {});
  void on_closed(int rank);

  void serve_requests();
  [[nodiscard]] std::vector<int> start_tasks(const TaskRequest& request);
  void start_task(const Start& start, const std::shared_ptr<const SpawnGroup>& spawn_group);
  void give_up(int id);
  void vacate_slots();

  void admit_clients();
  void admit(PendingClient& client);

  void enlist(Received received, Descriptor socket);
  void dismiss(int rank);
  [[nodiscard]] std::vector<int> free_spares() const;
  [[nodiscard]] bool can_decide(const TaskRequest& request) const;
  [[nodiscard]] std::vector<int> claim_spares(int count) const;
  [[nodiscard]] const std::vector<int>* processors_of(const Start& start) const;

  transport::shm::Mapping* mapping_;
  Watcher* watcher_;
  Roster* roster_;
  OutputRelay* output_;
  const SupervisorOptions* options_;
  const InheritedSettings* inherited_;
  JobJudge judge_;
  Setting own_setting_;  // that of tasks that came by the job socket
  std::uint32_t started_;
  std::vector<TaskRequest> requests_;           // requests without an answer
  std::vector<PendingClient> pending_clients_;  // clients that are neither admitted nor refused
  std::vector<Descriptor> connections_;         // connections that have not sent a message
  std::vector<Descriptor> standing_by_;         // sockets of spare processes
  int dismissed_ = 0;                           // number of dismissed ranks
  bool root_leaves_ = false;
};

}  // namespace tutti::launch
