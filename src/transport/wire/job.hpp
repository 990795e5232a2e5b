// SPDX-License-Identifier: BSD-3-Clause
// A job whose processes are joined by a wire. In one kind of job MPI has started all processes,
// some of them on one machine. An open job has tasks of a PVM, which come and go, each with memory
// of its own. The wire's link, the engine and launch/ use this class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transport/shared.hpp"
#include "transport/wire/plugin.h"

namespace tutti::transport::wire {

// A spare process is not a rank: it waits to be replaced by a task. Spare processes have numbers
// among themselves.
enum class Role { rank, spare };

// A bit of the exit note of a process that is in an MPI_Finalize of the program's, or has been.
constexpr std::uint32_t note_of_finalize = 1U << 16U;

// Says which processes of a job share a host, and so its memory. In an open job each process is a
// host of its own.
class WireHosts {
 public:
  explicit WireHosts(const tutti_wire_world& world) : world_(&world) {}
  // Learns the host of each rank, as MPI sees it and as `given` says, which may be empty.
  void learn(std::vector<int> seen, const std::string& given);

  // Returns true if the endpoint is a rank. Endpoints beyond the ranks are tasks; in an open job
  // every process is a rank.
  [[nodiscard]] bool is_rank(int endpoint) const {
    return endpoint >= 0 && (is_open() || endpoint < world_->size);
  }
  // Returns true if messages to the process travel by the wire. In an open job all do, even to this
  // process itself.
  [[nodiscard]] bool far(int rank) const { return is_rank(rank) && (is_open() || !here(rank)); }
  // The host of a rank, named by its lowest rank. Tasks are on this host.
  [[nodiscard]] int of(int rank) const {
    if (is_open()) return rank;
    return hosts_[static_cast<std::size_t>(is_rank(rank) ? rank : world_->rank)];
  }
  [[nodiscard]] bool here(int rank) const { return of(rank) == of(world_->rank); }
  // Returns true if there is, or may come, a process that shares no memory with this one.
  [[nodiscard]] bool apart() const { return is_open() || count() > 1; }
  [[nodiscard]] int count() const { return is_open() ? world_->size : below(world_->size); }
  // The number of a rank's host; hosts are numbered in the order of their lowest ranks. In an open
  // job -1 for a process that was not started with this one.
  [[nodiscard]] int number(int rank) const;
  // The lowest rank on this machine, and how many ranks share its processors, as MPI sees it,
  // whatever TUTTI_HOSTS says.
  [[nodiscard]] int machine() const { return world_->host; }
  [[nodiscard]] int ranks_on_machine() const { return ranks_on_machine_; }

 private:
  [[nodiscard]] bool is_open() const { return world_->numbers != nullptr; }
  // Number of hosts whose lowest rank is below `end`.
  [[nodiscard]] int below(int end) const;

  const tutti_wire_world* world_;
  std::vector<int> hosts_;
  int ranks_on_machine_ = 1;
};

class WireJob {
 public:
  // Returns nullptr when this process belongs to no job of that kind. Otherwise it is collective
  // over the job. Throws Error.
  [[nodiscard]] static std::unique_ptr<WireJob> of_environment(Role role = Role::rank);
  // Joins the job by the library of that name, whatever the environment says. Throws Error.
  [[nodiscard]] static std::unique_ptr<WireJob> over(const std::string& flavour);
  // Joins the job over a given table. `hosts` is a value of TUTTI_HOSTS, empty for the hosts that
  // the table knows.
  WireJob(const tutti_wire& wire, const std::string& hosts, int launched_size,
          Role role = Role::rank);
  ~WireJob();
  WireJob(const WireJob&) = delete;
  WireJob& operator=(const WireJob&) = delete;

  [[nodiscard]] const tutti_wire& wire() const { return *wire_; }
  // Returns true in an open job, whose processes come and go and may have any numbers.
  [[nodiscard]] bool is_open() const { return world_.numbers != nullptr; }
  // The number of this process.
  [[nodiscard]] int rank() const { return world_.rank; }
  [[nodiscard]] int size() const { return world_.size; }
  // Rank in, and number of, all that MPI has started, spare processes included.
  [[nodiscard]] int job_rank() const { return world_.job_rank; }
  [[nodiscard]] int job_size() const { return world_.job_size; }
  // The lowest job_rank() on this machine.
  [[nodiscard]] int job_machine() const { return world_.machine; }
  // The numbers of the processes that were started together.
  [[nodiscard]] std::vector<int> world() const;
  // Text such as "rank 3" or "task t40003".
  [[nodiscard]] std::string name_of(int number) const;
  [[nodiscard]] const WireHosts& hosts() const { return hosts_; }

  // The next two calls are collective over the ranks, and not available in an open job.
  [[nodiscard]] std::string broadcast(const std::string& text, int root) const;
  template <class T>
  [[nodiscard]] std::vector<T> gather_all(const T& mine) const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    check(wire_->gather(&mine, all.data(), static_cast<int>(sizeof(T)), 0), "MPI_Allgather");
    return all;
  }

  // Makes a group of ranks, in this order, for collectives of the MPI itself. Collective over these
  // ranks, and not available in an open job. Throws Error, on all of them.
  [[nodiscard]] tutti_wire_token make_group(std::span<const int> ranks) const {
    require_alive();
    tutti_wire_token group = 0;
    check(wire_->make_group(static_cast<int>(ranks.size()), ranks.data(), &group),
          "MPI_Comm_create_group");
    return group;
  }
  void free_group(tutti_wire_token group) const {
    if (!finalized_ && !ended_) check(wire_->free_group(group), "MPI_Comm_free");
  }

  // Collective over the job, spare processes included.
  template <class T>
  [[nodiscard]] std::vector<T> gather_job(const T& mine) const {
    std::vector<T> all(static_cast<std::size_t>(job_size()));
    check(wire_->gather(&mine, all.data(), static_cast<int>(sizeof(T)), 1), "MPI_Allgather");
    return all;
  }

  // Throws Error(system_error) with MPI's own words unless `code` is 0.
  void check(int code, const char* call) const {
    if (code != 0) [[unlikely]]
      reject(code, call);
  }
  // Throws Error(job_ended) once the program has called MPI_Finalize, or this process has left the
  // job.
  void require_alive() const {
    if (finalized_ || ended_) [[unlikely]]
      reject_ended();
  }
  // Calls `function(user)` at the start of an MPI_Finalize that the program makes. nullptr calls
  // nothing.
  void before_finalize(void (*function)(void*), void* user) {
    before_finalize_ = function;
    user_ = user;
  }
  // Shuts the socket down at the start of an MPI_Finalize that the program makes, so that spare
  // processes, which MPI waits for, learn of it. -1 is no socket.
  void hang_up_at_finalize(int socket) { line_ = socket; }
  // Adds note_of_finalize at the start of an MPI_Finalize that the program makes.
  void note_finalize(Shared<std::uint32_t>& exit_note) { exit_note_ = &exit_note; }
  [[nodiscard]] bool finalized() const { return finalized_; }
  // Returns true if end() will finalise MPI.
  [[nodiscard]] bool ends_mpi() const { return began_here_ && !ended_ && !finalized_; }
  // Returns true if an MPI has started the job and is not finalised.
  [[nodiscard]] bool has_mpi() const { return !is_open() && !ended_ && !finalized_; }
  // From now on, end() leaves it to others to finalise MPI.
  void leave_mpi() { began_here_ = false; }
  // Returns true if MPI allows calls from this thread.
  [[nodiscard]] bool callable_here() const;
  // Leaves the job in good order, and finalises MPI if tutti initialised it.
  void end() noexcept;
  void abort(int code) const { wire_->abort(code); }

 private:
  [[noreturn]] void reject(int code, const char* call) const;
  [[noreturn]] void reject_ended() const;
  void open(Role role);
  void require_usable();
  void watch_finalize();

  const tutti_wire* wire_;
  tutti_wire_world world_{};
  WireHosts hosts_{world_};
  void (*before_finalize_)(void*) = nullptr;
  void* user_ = nullptr;
  int line_ = -1;
  Shared<std::uint32_t>* exit_note_ = nullptr;
  bool began_here_ = false;  // MPI was initialised for tutti
  bool finalized_ = false;
  bool ended_ = false;
};

}  // namespace tutti::transport::wire
