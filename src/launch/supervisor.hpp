// SPDX-License-Identifier: BSD-3-Clause
// The supervisor starts the ranks of a job (or is told of them) and the tasks that they ask for. It
// watches every process that joins, reports the first failure once, and leaves nothing running.
// `tutti run` is a supervisor, and a program that starts its own world forks one.
//
// It changes the signals, the descriptor limit and the adoption of orphans of its process, so there
// is one per process.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "launch/descriptor.hpp"
#include "launch/memory_kills.hpp"
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
  // The programs in the order of the ranks that run them; none where MPI has started the ranks.
  std::vector<LaunchedProgram> programs;
  std::optional<double> timeout;  // in seconds
  OutputOptions output;
  int stdin_rank = 0;                        // the rank that inherits stdin; -1: none
  std::vector<std::vector<int>> processors;  // per rank; empty: not bound
  OperationName operation_name = nullptr;
  // Called after a failed job, when all ranks have ended. Returns advice for the user, or "" if
  // there is none.
  std::function<std::string(const Outcome&)> advice;
  // Becomes readable when the process that the user started has ended; -1: this one is that
  // process, or one that it forked.
  int reaper = -1;
  int job_socket = -1;  // the caller's socket, at which processes ask to join
  // Set where MPI has started the job. Only tasks are then supervised, and ranks and spare
  // processes connect to the job socket.
  std::optional<Pool> pool;
  int segment = -1;  // segment for those that join; -1: that of the mapping
  // Signal settings that the launcher was started with; default: those that the constructor finds.
  std::optional<SignalSettings> signals;
};

// Returns how many ranks a supervisor can watch with the descriptors that this process may have; at
// most the capacity of a job.
[[nodiscard]] int ranks_that_fit(const OutputOptions& output = {});
// Throws Error(no_slot), which says how many fit, if n ranks do not.
void require_room(int n, const OutputOptions& output = {});

class Supervisor {
 public:
  Supervisor(transport::shm::Mapping& mapping, SupervisorOptions options);

  // Watches a process that already runs and is the parent of this one. Without a pidfd, its end is
  // known from its control socket.
  void watch_root_process(int rank, pid_t pid, Descriptor pidfd, Descriptor control);
  // Starts ranks first_rank ... world size - 1. If a program cannot be run, the job fails.
  void start(int first_rank);
  // Runs until every rank has ended or the job has failed; then ends all descendants. Reports on
  // stderr.
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
    connection,
    reaper
  };
  enum class States { tell, omit };

  // The stdout or stderr of a rank, where it passes through the supervisor.
  struct Stream {
    DescriptorPair pipe;
    LineTagger tagger{0};
    Outlet file;
  };

  // The process started for a rank (child) and the process that joined as this rank (process). They
  // are often the same, but a shell script may stand in between.
  struct Watched {
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
    std::array<Stream, 2> streams;
    std::string state;
    // The program of the rank, or of the rank that a task descends from.
    const LaunchedProgram* program = nullptr;
    // The members from here on are for tasks only.
    std::string task_program;
    std::shared_ptr<const SpawnGroup> spawn_group;
    // Ended by this supervisor, because not all of its spawn group could be started.
    bool unwanted = false;
    bool sent_signal = false;  // a process of the job has asked for a signal to it
    bool admitted = false;     // admitted by the job socket, but has not yet said hello
    int spare = -1;            // the spare process whose place the task takes; -1: none
    // This member is for ranks that MPI has started.
    bool dismissed = false;  // will make no more requests

    [[nodiscard]] bool done() const { return child_done && process_done && !hello_expected; }
  };
  struct TaskRequest {
    int rank;  // rank that asks
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
    int output;
    int error = -1;  // becomes stderr, and nothing passes through the supervisor; -1: inherited
    int spare = -1;
  };
  struct ExitDecision {
    int exit_code;
    std::string reason;
  };

  // These functions are in supervisor.cpp: the event loop.
  void watch(int descriptor, Source source, int rank, std::uint32_t events);
  void watch(int descriptor, Source source, int rank);
  void forget(int descriptor);
  void unwatch(Descriptor& descriptor);
  [[nodiscard]] StartResult start_rank(const Start& start);
  void assign_programs();
  // Returns folder and variables of the program that a rank runs or descends from.
  [[nodiscard]] const Setting& setting_of(int rank) const;
  void wait_for_events(int milliseconds);
  void handle(Source source, int rank);
  void silence(Source source, int rank);
  void on_signals();
  void on_control(int rank);
  void on_process(int rank);
  [[nodiscard]] int milliseconds_to_wait() const;
  [[nodiscard]] bool all_done() const;

  // These functions are in supervisor_end.cpp: the ends of processes and of the job.
  // Returns true if this process still has children.
  bool reap();
  void send_to_ranks(int signal);
  static void signal_process(const Watched& watched, int signal);
  void signal_everything(int signal);
  void look_for_ends();
  void end_everything();
  void release_root_process();
  void tell(const Descriptor& socket, const ControlMessage& message, int passed = -1,
            std::string_view payload = {});
  void tell_root_process();

  // These functions are in supervisor_output.cpp: output that passes through the supervisor. Stream
  // 0 is stdout, stream 1 is stderr. An outlet has the number of its stream; outlet 0 may serve
  // both.
  [[nodiscard]] std::array<Stream, 2> open_streams(int rank);
  void watch_streams(int rank);
  void watch_stream(int rank, std::size_t stream);
  [[nodiscard]] Outlet open_file(int rank, std::size_t stream);
  void on_output(int rank, std::size_t stream);
  [[nodiscard]] std::size_t outlet_of(std::size_t stream) const;
  void say(std::string_view text);
  void forward(std::size_t stream, std::string_view text);
  void on_outlet(std::size_t outlet);
  [[nodiscard]] bool is_full(const Outlet& outlet) const;
  void check_outlet(std::size_t outlet);
  void await_reader(std::size_t outlet);
  void pause_ranks(std::size_t outlet);
  void fail_output(const std::string& where, const Outlet& outlet);
  [[nodiscard]] bool output_left() const;
  void drain_output();

  // These functions are in supervisor_rules.cpp: the meaning of an event for the job.
  void register_process(int rank);
  void refuse_to_watch(int rank, int error);
  [[nodiscard]] Ending noted_ending(int rank) const;
  void show_ending(int rank, const Ending& ending);
  void child_ended(int rank, Ending ending);
  void child_ended_before_joining(int rank, Ending ending);
  void say_died_early(int rank, const Ending& ending);
  void ended_before_hello(int rank);
  void process_ended(int rank, Ending ending);
  void leave_endpoint(int rank, const Ending& ending);
  void failed(int rank, pid_t pid, const Ending& ending);
  [[nodiscard]] bool concluded_by_abort();
  [[nodiscard]] ExitDecision time_is_up() const;
  void check_timers();
  void look_for_standstill();
  void look_for_lost_wait(const std::vector<RankView>& world);
  void name_the_dead(std::vector<RankView>& world) const;
  void conclude(ExitDecision decision, States states, int culprit = -1);
  void on_end_of_reaper();
  [[nodiscard]] Outcome outcome() const;
  void advise();
  void wake_waiters();
  void remember(int rank, const Ending& ending);

  // These functions are in supervisor_tasks.cpp: tasks that start and end.
  void serve_requests();
  [[nodiscard]] std::vector<int> start_tasks(const TaskRequest& request);
  void start_task(const Start& start, const std::shared_ptr<const SpawnGroup>& spawn_group);
  void give_up(int id);
  void send_to_task(const SignalRequest& request);
  void vacate_slots();
  void retire(int rank);

  // These functions are in supervisor_clients.cpp: processes that join by the job socket.
  void on_job_socket();
  void on_connection(int descriptor);
  void admit_clients();
  void admit(PendingClient& client);
  void lose_client(int rank);

  // These functions are in supervisor_pool.cpp: jobs that MPI has started.
  void enlist(Received received, Descriptor socket);
  void dismiss(int rank);
  [[nodiscard]] bool pool_wanted() const;
  [[nodiscard]] std::vector<int> free_spares() const;
  [[nodiscard]] bool can_decide(const TaskRequest& request) const;
  [[nodiscard]] std::vector<int> claim_spares(int count) const;
  [[nodiscard]] const std::vector<int>* processors_of(const Start& start) const;
  [[nodiscard]] bool end_quietly(int exit_code);

  // In all functions, `rank` is a slot: first the ranks of the world, then the tasks.
  [[nodiscard]] Watched& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int slots() const { return static_cast<int>(ranks_.size()); }
  // Returns the descriptor of the segment for those that join.
  [[nodiscard]] int segment() const {
    return options_.segment >= 0 ? options_.segment : mapping_.descriptor();
  }
  [[nodiscard]] int world_size() const { return static_cast<int>(mapping_.header().world_size); }
  [[nodiscard]] bool is_task(int rank) const { return rank >= world_size(); }
  [[nodiscard]] std::string short_name(int rank) const;
  [[nodiscard]] std::string program_name(int rank) const;
  [[nodiscard]] std::string rank_name(int rank, pid_t pid) const;

  transport::shm::Mapping& mapping_;
  SupervisorOptions options_;
  Setting own_setting_;  // that of tasks that came by the job socket
  SignalSettings original_signals_;
  rlimit original_limit_{};
  Descriptor epoll_;
  Descriptor signals_;
  std::vector<Watched> ranks_;
  std::array<Outlet, 2> outlets_{Outlet(STDOUT_FILENO), Outlet(STDERR_FILENO)};
  bool one_outlet_ = false;  // stdout and stderr are the same file
  // True if epoll watches this outlet because text waits for its reader.
  std::array<bool, 2> awaited_{};
  // True if the ranks' pipes that lead to this outlet are left unread.
  std::array<bool, 2> paused_{};
  std::set<std::string> files_begun_;  // files of --output that were opened before
  std::uint32_t started_ = 0;          // ranks and tasks that were ever started or admitted
  std::vector<TaskRequest> requests_;  // requests without an answer
  std::vector<PendingClient> pending_clients_;  // clients that are neither admitted nor refused
  std::vector<Descriptor> connections_;         // connections that have not sent a message
  std::vector<Descriptor> standing_by_;         // sockets of spare processes
  int dismissed_ = 0;                           // number of dismissed ranks
  // The rank of the root process, which waits in exit() until the others have ended; -1: none.
  int root_process_ = -1;
  bool root_process_leaves_ = false;
  std::optional<Clock::time_point> deadline_;
  Clock::time_point next_look_{};
  DepartureWatch departures_;
  MemoryKills memory_kills_;
  StandstillWatch standstill_;
  std::optional<ExitDecision> decision_;
  std::string cycle_;
  int late_exit_code_ = 0;  // first exit code, not 0, of an ending that did not end the job
  int interrupt_ = 0;       // the signal by which the user ended the job
  Clock::time_point interrupted_at_{};
  int first_signal_ = SIGTERM;  // the first of the two signals that end everything
};

}  // namespace tutti::launch
