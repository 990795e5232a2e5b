// SPDX-License-Identifier: BSD-3-Clause
// The supervisor: starts the ranks of a job or is told of them, starts the tasks they ask for,
// watches every process that joins, reports the first failure once, and leaves nothing running.
// `tutti run` is a supervisor, and a program that starts its own world forks one. It changes the
// signals, the descriptor limit and the adoption of orphans of its process, so there is
// one per process.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "launch/descriptor.hpp"
#include "launch/outcome.hpp"
#include "launch/output.hpp"
#include "launch/pool.hpp"
#include "launch/process.hpp"
#include "launch/program.hpp"
#include "launch/report.hpp"
#include "launch/signals.hpp"
#include "launch/spawn.hpp"
#include "launch/wait_graph.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

struct SupervisorOptions {
  std::string name = "tutti run";  // stands in front of reports
  std::vector<LaunchedProgram>
      programs;  // in the order of the ranks that run them; none where MPI has started the ranks
  std::optional<double> timeout;  // seconds
  OutputOptions output;
  int stdin_rank = 0;                        // the one that inherits stdin; -1 nobody
  std::vector<std::vector<int>> processors;  // per rank; empty: not bound
  OperationName operation_name = nullptr;
  int job_socket = -1;  // listens for processes that want to join; the caller's
  // Where MPI has started the job: only tasks are supervised, and ranks and spare processes come by
  // the job socket.
  std::optional<Pool> pool;
  int segment = -1;  // given to tasks; default: the mapping's own
  std::optional<SignalSettings>
      signals;  // what the launcher was started with; default: what it finds
};

// How many ranks a supervisor can watch with the descriptors this process may have; at most the
// capacity of a job.
[[nodiscard]] int ranks_that_fit(const OutputOptions& output = {});
// Throws Error(no_slot), with how many fit, when n do not.
void require_room(int n, const OutputOptions& output = {});

class Supervisor {
 public:
  Supervisor(transport::shm::Mapping& mapping, SupervisorOptions options);

  // Watches a process that is already running and is no child of this one.
  void watch_root_process(int rank, pid_t pid, Descriptor pidfd, Descriptor control);
  // Starts ranks first_rank ... world size - 1. A program that cannot be run is the job's failure.
  void start(int first_rank);
  // Until every rank has ended or the job has failed; then ends all descendants. Reports on stderr.
  [[nodiscard]] Outcome run();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Source : std::uint32_t {
    signals,
    control,
    process,
    output,
    error,
    stdout_ready,
    stderr_ready,
    job_socket,
    connection
  };
  enum class States { tell, omit };

  // What a rank writes to its stdout or stderr, when that passes through the supervisor.
  struct Stream {
    DescriptorPair pipe;
    LineTagger tagger{0};
    Outlet file;
  };

  // What was started for a rank (child) and what joined as it (process) are often the same, but
  // need not be: a shell script may stand in between.
  struct Watched {
    pid_t child = 0;
    bool child_done = true;
    Ending child_ending;
    pid_t process = 0;
    bool process_done = true;
    Ending process_ending;
    Descriptor control;
    Descriptor pidfd;
    Descriptor death_pipe;  // held open: when this supervisor dies, the kernel kills the process at
                            // the other end
    std::array<Stream, 2> streams;
    std::string state;
    const LaunchedProgram* program =
        nullptr;  // of a rank, or of the rank that a task descends from
    // Tasks only.
    std::string task_program;
    std::shared_ptr<const SpawnGroup> spawn_group;
    bool unwanted =
        false;  // ended by this supervisor, because not all of its spawn group could be started
    bool admitted = false;  // let in by the job socket, and not yet here
    int spare = -1;         // whose place it takes
    // Ranks of MPI's only.
    bool dismissed = false;  // will ask for nothing any more

    [[nodiscard]] bool done() const { return child_done && process_done; }
  };
  struct TaskRequest {
    int rank;  // who asks
    std::string bytes;
    Descriptor output;  // stdout of who asks
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
    int output;  // becomes stdout unless output passes through the supervisor; -1: that of the
                 // supervisor
    int spare = -1;
  };
  struct ExitDecision {
    int exit_code;
    std::string reason;
  };

  // supervisor.cpp: the event loop.
  void watch(int descriptor, Source source, int rank, std::uint32_t events);
  void watch(int descriptor, Source source, int rank);
  void forget(int descriptor);
  void unwatch(Descriptor& descriptor);
  [[nodiscard]] StartResult start_rank(const Start& start);
  void assign_programs();
  // Folder and variables of the program that a rank runs or descends from.
  [[nodiscard]] const Setting& setting_of(int rank) const;
  void wait_for_events(int milliseconds);
  void handle(Source source, int rank);
  void on_signals();
  void on_control(int rank);
  void on_process(int rank);
  void reap();
  void send_to_ranks(int signal);
  void end_everything();
  void release_root_process();
  [[nodiscard]] int milliseconds_to_wait() const;
  [[nodiscard]] bool all_done() const;
  [[nodiscard]] Outcome outcome() const;

  // supervisor_output.cpp: output that passes through the supervisor. Stream 0 is stdout, 1 stderr;
  // an outlet has the number of its stream, and outlet 0 may serve both streams.
  [[nodiscard]] std::array<Stream, 2> open_streams(int rank);
  void watch_streams(int rank);
  void watch_stream(int rank, std::size_t stream);
  [[nodiscard]] Outlet open_file(int rank, std::size_t stream);
  void on_output(int rank, std::size_t stream);
  [[nodiscard]] std::size_t outlet_of(std::size_t stream) const;
  void say(std::size_t stream, std::string_view text);
  void on_outlet(std::size_t outlet);
  void check_outlet(std::size_t outlet);
  void await_reader(std::size_t outlet);
  void pause_ranks(std::size_t outlet);
  void fail_output(const std::string& where, const Outlet& outlet);
  [[nodiscard]] bool output_left() const;
  void drain_output();

  // supervisor_rules.cpp: what an event means for the job.
  void register_process(int rank, pid_t pid);
  void child_ended(int rank, Ending ending);
  void child_ended_before_joining(int rank, Ending ending);
  void process_ended(int rank, Ending ending);
  void leave_endpoint(int rank, const Ending& ending);
  void failed(int rank, pid_t pid, const Ending& ending);
  [[nodiscard]] bool concluded_by_abort();
  [[nodiscard]] ExitDecision time_is_up() const;
  void check_timers();
  void conclude(ExitDecision decision, States states, int culprit = -1);
  void wake_waiters();
  void remember(int rank, const Ending& ending);

  // supervisor_tasks.cpp: tasks that come and go.
  void serve_requests();
  [[nodiscard]] std::vector<int> start_tasks(const TaskRequest& request);
  void start_task(const Start& start, const std::shared_ptr<const SpawnGroup>& spawn_group);
  void give_up(int id);
  void send_to_task(const SignalRequest& request);
  void vacate_slots();
  void retire(int rank);

  // supervisor_clients.cpp: processes that come by the job socket.
  void on_job_socket();
  void on_connection(int descriptor);
  void admit_clients();
  void admit(PendingClient& client);
  void lose_client(int rank);

  // supervisor_pool.cpp: where MPI has started the job.
  void enlist(Received received, Descriptor socket);
  void dismiss(int rank);
  [[nodiscard]] bool pool_wanted() const;
  [[nodiscard]] std::vector<int> free_spares() const;
  [[nodiscard]] bool can_decide(const TaskRequest& request) const;
  [[nodiscard]] std::vector<int> claim_spares(int count) const;
  [[nodiscard]] const std::vector<int>* processors_of(const Start& start) const;
  [[nodiscard]] bool end_quietly(int exit_code);

  // A rank here and below is a slot: ranks of the world first, tasks behind them.
  [[nodiscard]] Watched& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int slots() const { return static_cast<int>(ranks_.size()); }
  [[nodiscard]] int world_size() const { return static_cast<int>(mapping_.header().world_size); }
  [[nodiscard]] bool is_task(int rank) const { return rank >= world_size(); }
  [[nodiscard]] std::string short_name(int rank) const;
  [[nodiscard]] std::string program_name(int rank) const;
  [[nodiscard]] std::string rank_name(int rank, pid_t pid) const;

  transport::shm::Mapping& mapping_;
  SupervisorOptions options_;
  SignalSettings original_signals_;
  rlimit original_limit_{};
  Descriptor epoll_;
  Descriptor signals_;
  std::vector<Watched> ranks_;
  std::array<Outlet, 2> outlets_{Outlet(STDOUT_FILENO), Outlet(STDERR_FILENO)};
  bool one_outlet_ = false;  // for stdout and stderr
  std::array<bool, 2>
      awaited_{};  // whether epoll watches this outlet because text waits for its reader
  std::array<bool, 2> paused_{};       // whether the pipes of ranks that lead there are left unread
  std::set<std::string> files_begun_;  // of --output
  std::uint32_t started_ = 0;          // ranks and tasks, ever
  std::vector<TaskRequest> requests_;  // of this turn of the event loop
  std::vector<PendingClient> pending_clients_;  // likewise
  std::vector<Descriptor> connections_;         // that have not said what they want
  std::vector<Descriptor> standing_by_;         // spare processes
  int dismissed_ = 0;                           // ranks of MPI's
  int root_process_ =
      -1;  // the rank that is guarded; it waits in exit() until the others have ended
  bool root_process_leaves_ = false;
  std::optional<Clock::time_point> deadline_;
  Clock::time_point next_look_{};
  DepartureWatch departures_;
  std::optional<ExitDecision> decision_;
  std::string cycle_;
  int late_exit_code_ = 0;  // of a rank that failed after it had finished in good order
  int interrupt_ = 0;       // the signal the user ended the job with
  Clock::time_point interrupted_at_{};
  int first_signal_ = SIGTERM;  // of the two that end everything
};

}  // namespace tutti::launch
