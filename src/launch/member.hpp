// SPDX-License-Identifier: BSD-3-Clause
// Membership: how a process finds its job, takes its endpoint, is watched by the supervisor, and
// leaves in good order or aborts. A process that nobody has started as a rank is a job of one, and
// may start a world of its own. A job uses it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/descriptor.hpp"
#include "launch/exit_meeting.hpp"
#include "launch/job_descriptor.hpp"
#include "launch/outcome.hpp"
#include "launch/rendezvous.hpp"
#include "launch/spawn.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wait_end.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

struct ExitState;

class Membership {
 public:
  // Joins the job of the job descriptor, and returns when the supervisor watches this process.
  // Removes TUTTI_JOB from the environment, so that children of a rank are not ranks. Throws Error:
  // Error(would_wait) if `give_up` ends the wait for the supervisor.
  [[nodiscard]] static Membership attach(const JobDescriptor& job_descriptor,
                                         transport::GiveUp give_up = {});
  // Makes a job of one process, with private memory and without a supervisor.
  [[nodiscard]] static Membership singleton();
  // Joins, as a rank, a job that MPI has started (collective over that job), or becomes a process
  // of an open job.
  [[nodiscard]] static Membership over_wire(std::unique_ptr<transport::wire::WireJob> job,
                                            OperationName operation_name);
  // Joins as one rank of a segment whose processes nobody starts or watches. Several threads of a
  // process may each join as another rank, and a process may be in several jobs.
  [[nodiscard]] static Membership as_rank(transport::shm::Mapping mapping, int rank) {
    Membership membership(std::move(mapping), Descriptor(), rank);
    membership.take_endpoint();
    return membership;
  }
  Membership(Membership&&) noexcept;
  Membership& operator=(Membership&&) noexcept;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;
  // The destructor does not finalize: the endpoint stays `attached`, and the supervisor sees how
  // the process ends.
  ~Membership();

  [[nodiscard]] transport::shm::Mapping& mapping() { return mapping_; }
  // Returns the slot of this process. For a rank that the job starts with, it equals its rank, its
  // id and its place in world(). In an open job the segment is private and has one slot, and the id
  // is the number of the process in the job.
  [[nodiscard]] int endpoint() const { return transport::shm::slot_of(seat_); }
  [[nodiscard]] int id() const { return id_; }
  // Returns, by rank, the endpoints that this process was started together with.
  [[nodiscard]] const std::vector<int>& world() const { return spawn_group_.world; }
  [[nodiscard]] int world_size() const { return static_cast<int>(spawn_group_.world.size()); }
  [[nodiscard]] int parent() const { return spawn_group_.parent; }
  [[nodiscard]] bool has_supervisor() const { return control_.valid(); }
  [[nodiscard]] bool launched() const { return has_supervisor() || job_ != nullptr; }
  // Returns nullptr unless a wire joins the job.
  [[nodiscard]] transport::wire::WireJob* wire() const { return job_.get(); }
  // Returns false in a child made by fork(): it shares the memory, but is not a member of the job.
  [[nodiscard]] bool valid() const;

  // depart() lets the others see that this process has left in good order. finalize() also ends MPI
  // if tutti began it, once all processes of this host have left. If one of them fails, MPI is not
  // ended, and its launcher is about to end this process. Both do nothing the second time, or in a
  // forked child.
  void depart();
  void finalize() {
    // Failure is harmless: a process that does not end MPI is ended by its launcher.
    static_cast<void>(finalize(EndsMpi::tutti));
  }
  // Does the same, but lets the caller end MPI, whoever began it. Returns false if the caller must
  // not do that, because another process has failed.
  [[nodiscard]] bool finalize_before_mpi() { return finalize(EndsMpi::caller); }
  // Returns true if finalize() would finalise MPI, and this thread may do that. An abort may call
  // exit(), and then ends the other processes itself.
  [[nodiscard]] bool ends_mpi() const;
  // Asks how the other processes of this host leave. Called only in a job that a wire joins.
  [[nodiscard]] ExitMeeting exit_meeting() const;
  // Ends the job. The first abort of all ranks gives the text and the exit code (0 becomes 1).
  [[noreturn]] void abort(int code, std::string_view text);

  // Replaces this job of one by a world of n >= 2. This process becomes rank 0. It starts a
  // supervisor, which starts n - 1 copies of this program with the same arguments and supervises
  // all. The new membership has another mapping. After an Error nothing has happened.
  // `operation_name` serves the supervisor's reports.
  [[nodiscard]] Membership start_world(int n, OperationName operation_name = nullptr) const;
  // Starts tasks and returns their endpoints. A job without a supervisor gets one first; in a job
  // that MPI has started, spare ranks run the tasks. Throws Error.
  [[nodiscard]] std::vector<int> spawn(const SpawnRequest& request, int output,
                                       OperationName operation_name = nullptr);
  // Lets the supervisor send a signal to the process at an endpoint. Throws Error(peer_left).
  void signal(int id, int signal);
  // From this call on, a death does not end the job (docs/internals/supervisor.md). With the spare
  // ranks of an MPI, this holds for the deaths of tasks only. In any other job, throws
  // Error(invalid_argument) unless this process is a job of its own, or deaths are tolerated.
  void tolerate_deaths();
  [[nodiscard]] bool tolerates_deaths() const;
  // Starts a supervisor if this job has none. It serves the clients of the socket.
  void get_supervisor(OperationName operation_name, Rendezvous* job_socket = nullptr);

 private:
  Membership(transport::shm::Mapping mapping, Descriptor control, int id);
  // `supervisor` is the control socket of a process that has started its own world.
  void take_endpoint(int supervisor = -1);
  void say_hello(transport::GiveUp give_up = {});
  void leave_to_supervisor() noexcept;
  enum class EndsMpi : bool { tutti, caller };
  [[nodiscard]] bool finalize(EndsMpi who);
  void enter_pool();
  void leave_pool();
  // Returns the socket to the supervisor that starts tasks.
  [[nodiscard]] int supervisor() const { return has_supervisor() ? control_.get() : pool_.get(); }

  std::unique_ptr<transport::wire::WireJob> job_;
  transport::shm::Mapping mapping_;
  Descriptor control_;
  // Socket to the supervisor of the tasks, where MPI has started the job; it does not supervise
  // this process.
  Descriptor pool_;
  Descriptor monitor_;  // its end continues a failure monitor that this rank has started
  int id_;
  int seat_;  // the id by which the segment knows this process
  SpawnGroup spawn_group_;
  std::unique_ptr<ExitState> exit_state_;
};

}  // namespace tutti::launch
