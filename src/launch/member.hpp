// SPDX-License-Identifier: BSD-3-Clause
// What a process does to belong to a job: find it, take its endpoint, be watched by the supervisor,
// leave in good order or abort. A process that nobody started as a rank is a job of one, and may
// grow to a world of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launch/descriptor.hpp"
#include "launch/job_descriptor.hpp"
#include "launch/job_socket.hpp"
#include "launch/outcome.hpp"
#include "launch/spawn.hpp"
#include "transport/shm/mapping.hpp"
#include "transport/wire/job.hpp"

namespace tutti::launch {

struct ExitState;

class Membership {
 public:
  [[nodiscard]] static std::optional<JobDescriptor> job_descriptor() {
    return JobDescriptor::from_environment();
  }
  // Joins the job of the job descriptor. Returns when the supervisor watches this process.
  // TUTTI_JOB is removed from the environment, so that children of a rank are no ranks. Throws
  // Error.
  [[nodiscard]] static Membership attach(const JobDescriptor& job_descriptor);
  // A job of one: private memory, no supervisor.
  [[nodiscard]] static Membership singleton();
  // A rank of a job that MPI has started; collective over that job. Or a process of an open job.
  [[nodiscard]] static Membership over_wire(std::unique_ptr<transport::wire::WireJob> job,
                                            OperationName operation_name);
  // attach when there is a job descriptor, over_wire when MPI has started this process or PVM is
  // asked for, else singleton; throws Error when another launcher has started it as one of several.
  [[nodiscard]] static Membership join(OperationName operation_name = nullptr);
  // The same, but a process that nobody has started becomes a task of the job that has a job socket
  // of this name, if there is one; if not, and `make` says so, it makes one that tolerates deaths.
  enum class Make : bool { no, yes };
  [[nodiscard]] static Membership join(std::string_view job_socket, Make make,
                                       OperationName operation_name);

  Membership(Membership&&) noexcept;
  Membership& operator=(Membership&&) noexcept;
  Membership(const Membership&) = delete;
  Membership& operator=(const Membership&) = delete;
  // Without finalize the endpoint stays `attached`: the supervisor sees how the process ends.
  ~Membership();

  [[nodiscard]] transport::shm::Mapping& mapping() { return mapping_; }
  // The slot. Of a rank that a job starts with it equals its rank, its id, and its place in
  // world(). In an open job the segment is this process's own and has one slot, and the id is its
  // number there.
  [[nodiscard]] int endpoint() const { return transport::shm::slot_of(seat_); }
  [[nodiscard]] int id() const { return id_; }
  // The endpoints this process was started together with, by rank.
  [[nodiscard]] const std::vector<int>& world() const { return spawn_group_.world; }
  [[nodiscard]] int world_size() const { return static_cast<int>(spawn_group_.world.size()); }
  [[nodiscard]] int parent() const { return spawn_group_.parent; }
  [[nodiscard]] bool has_supervisor() const { return control_.valid(); }
  [[nodiscard]] bool launched() const { return has_supervisor() || job_ != nullptr; }
  // nullptr unless a wire joins the job.
  [[nodiscard]] transport::wire::WireJob* wire() const { return job_.get(); }
  // False in a child made by fork(): it shares the memory but is nobody in the job.
  [[nodiscard]] bool valid() const;

  // Leaves in good order: depart() lets the others see it, finalize() also ends what MPI has begun
  // for us. Both do nothing the second time or in a forked child.
  void depart();
  void finalize();
  // Ends the job; the first abort of all ranks gives the text and the exit code (0 becomes 1).
  [[noreturn]] void abort(int code, std::string_view text);

  // What takes the place of this membership, of a job of one, in a world of n >= 2: a supervisor (a
  // child of this process) starts n - 1 copies of this program with the same arguments and
  // supervises them all; this process is rank 0. The mapping is another one. Throws Error, and then
  // nothing has happened; `operation_name` serves the supervisor's reports.
  [[nodiscard]] Membership start_world(int n, OperationName operation_name = nullptr) const;
  // Starts tasks; a job without a supervisor gets a supervisor first, one that MPI has started has
  // them run by spare ranks. Returns their endpoints. Throws Error.
  [[nodiscard]] std::vector<int> spawn(const SpawnRequest& request,
                                       OperationName operation_name = nullptr);
  // The supervisor sends a signal to the process at an endpoint that was given. Throws
  // Error(peer_left).
  void signal(int id, int signal);
  // From now on a death does not end the job (docs/design.md, "Supervisor"). Only
  // for a process that is a job of its own, or, of tasks, where MPI has started the job.
  void tolerate_deaths();
  [[nodiscard]] bool tolerates_deaths() const;

 private:
  Membership(transport::shm::Mapping mapping, Descriptor control, int id);
  void get_supervisor(OperationName operation_name, JobSocket* job_socket = nullptr);
  void take_endpoint();
  void say_hello();
  void leave_to_supervisor() noexcept;
  void say_aborted(int exit_code, std::string_view text) const;
  [[noreturn]] void end_process(int exit_code) const;
  void enter_pool();
  void leave_pool();
  // Who starts tasks.
  [[nodiscard]] int supervisor() const { return has_supervisor() ? control_.get() : pool_.get(); }

  std::unique_ptr<transport::wire::WireJob> job_;
  transport::shm::Mapping mapping_;
  Descriptor control_;
  Descriptor pool_;  // to the supervisor of the tasks, where MPI has started the job; nobody
                     // supervises this process there
  int id_;
  int seat_;  // the id by which the segment knows it
  SpawnGroup spawn_group_;
  std::unique_ptr<ExitState> exit_state_;
};

}  // namespace tutti::launch
