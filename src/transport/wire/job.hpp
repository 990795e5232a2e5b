// SPDX-License-Identifier: BSD-3-Clause
// A job whose processes are joined by a wire. Either MPI has started them: then this knows which of
// them share a machine, and how the job ends. Or they are the tasks of a PVM, which come and go,
// each with memory of its own (an open job).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "transport/wire/plugin.h"

namespace tutti::transport::wire {

// A spare process is no rank: it is there for tasks to be started by it. Among each other spare
// processes have numbers, too.
enum class Role { rank, spare };

class WireJob {
 public:
  // nullptr when this process belongs to no job of that kind. Collective over the job otherwise.
  // Throws Error.
  [[nodiscard]] static std::unique_ptr<WireJob> of_environment(Role role = Role::rank);
  // By the library of that name, whatever the environment says. Throws Error.
  [[nodiscard]] static std::unique_ptr<WireJob> over(const std::string& flavour);
  // Over any table; `hosts` as TUTTI_HOSTS has it, empty for what the table says.
  WireJob(const tutti_wire& wire, const std::string& hosts, int launched_size,
          Role role = Role::rank);
  ~WireJob();
  WireJob(const WireJob&) = delete;
  WireJob& operator=(const WireJob&) = delete;

  [[nodiscard]] const tutti_wire& wire() const { return *wire_; }
  // Processes come and go, with any numbers.
  [[nodiscard]] bool is_open() const { return world_.numbers != nullptr; }
  // The number of this process.
  [[nodiscard]] int rank() const { return world_.rank; }
  [[nodiscard]] int size() const { return world_.size; }
  // All that MPI has started, the spare ones included.
  [[nodiscard]] int job_rank() const { return world_.job_rank; }
  [[nodiscard]] int job_size() const { return world_.job_size; }
  // The lowest of them on this machine.
  [[nodiscard]] int job_machine() const { return world_.machine; }
  // The numbers of those that were started together.
  [[nodiscard]] std::vector<int> world() const;
  // "rank 3", "task t40003".
  [[nodiscard]] std::string name_of(int number) const;
  // Endpoints beyond the ranks are tasks; in an open job everybody is a rank.
  [[nodiscard]] bool is_rank(int endpoint) const {
    return endpoint >= 0 && (is_open() || endpoint < size());
  }
  // Messages to it travel by the wire. In an open job that is everybody, this process included.
  [[nodiscard]] bool far(int number) const {
    return is_rank(number) && (is_open() || !here(number));
  }
  // The lowest rank on the same host stands for the host, tasks are on this one; in an open job
  // everybody for himself.
  [[nodiscard]] int host_of(int rank) const {
    if (is_open()) return rank;
    return hosts_[static_cast<std::size_t>(is_rank(rank) ? rank : world_.rank)];
  }
  [[nodiscard]] bool here(int rank) const { return host_of(rank) == host_of(world_.rank); }
  // There is, or may come, somebody who shares no memory with this process.
  [[nodiscard]] bool apart() const { return is_open() || host_count() > 1; }
  // Returns MPI's view, whatever TUTTI_HOSTS says: the lowest rank on this machine, and the number
  // of ranks that share its processors.
  [[nodiscard]] int machine() const { return world_.host; }
  [[nodiscard]] int ranks_on_machine() const { return ranks_on_machine_; }
  [[nodiscard]] int host_count() const { return is_open() ? size() : hosts_below(size()); }
  // Hosts are numbered in the order of their lowest ranks. In an open job -1 for one that is not of
  // this world.
  [[nodiscard]] int host_number(int rank) const;

  // Collective; not in an open job.
  [[nodiscard]] std::string broadcast(const std::string& text, int root) const;
  template <class T>
  [[nodiscard]] std::vector<T> gather_all(const T& mine) const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    check(wire_->gather_all(&mine, all.data(), static_cast<int>(sizeof(T))), "MPI_Allgather");
    return all;
  }

  // Collective over the job.
  template <class T>
  [[nodiscard]] std::vector<T> gather_job(const T& mine) const {
    std::vector<T> all(static_cast<std::size_t>(job_size()));
    check(wire_->gather_job(&mine, all.data(), static_cast<int>(sizeof(T))), "MPI_Allgather");
    return all;
  }

  // 0 is success. Throws Error(system_error) with MPI's own words.
  void check(int code, const char* call) const {
    if (code != 0) [[unlikely]]
      reject(code, call);
  }
  // Throws Error(job_ended) once MPI was finalised behind our back.
  void require_alive() const {
    if (finalized_) [[unlikely]]
      reject_finalized();
  }
  // Calls `function(user)` at the start of an MPI_Finalize that the program makes; nullptr: nothing
  // is called.
  void before_finalize(void (*function)(void*), void* user) {
    before_finalize_ = function;
    user_ = user;
  }
  // This socket is shut down at the start of an MPI_Finalize that the program makes, so that spare
  // processes, which MPI waits for, learn of it. -1: none.
  void hang_up_at_finalize(int socket) { line_ = socket; }
  [[nodiscard]] bool finalized() const { return finalized_; }
  // Returns true if end() finalises MPI.
  [[nodiscard]] bool ends_mpi() const { return began_here_ && !ended_ && !finalized_; }
  // In good order; MPI is finalised if it was initialised here.
  void end() noexcept;
  void abort(int code) const { wire_->abort(code); }

 private:
  [[noreturn]] void reject(int code, const char* call) const;
  [[noreturn]] static void reject_finalized();
  void require_usable();
  void learn_hosts(const std::string& given);
  void watch_finalize();
  // Returns the number of hosts whose lowest rank is below `end`.
  [[nodiscard]] int hosts_below(int end) const;

  const tutti_wire* wire_;
  tutti_wire_world world_{};
  std::vector<int> hosts_;
  int ranks_on_machine_ = 1;
  void (*before_finalize_)(void*) = nullptr;
  void* user_ = nullptr;
  int line_ = -1;
  bool began_here_ = false;  // MPI was initialised for tutti
  bool finalized_ = false;
  bool ended_ = false;
};

}  // namespace tutti::transport::wire
