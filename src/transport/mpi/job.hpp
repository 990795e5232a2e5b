// SPDX-License-Identifier: BSD-3-Clause
// A job whose processes are joined by a wire: those that MPI has started, which of them share a machine, and how the job
// ends; or the tasks of a PVM, who come and go, each with memory of its own (an open job).
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "transport/mpi/wire.h"

namespace tutti::transport::mpi {

class Job {
 public:
  // nullptr when this process belongs to no job of that kind. Collective over the job otherwise. Throws Error.
  [[nodiscard]] static std::unique_ptr<Job> of_environment();
  // By the library of that name, whatever the environment says. Throws Error.
  [[nodiscard]] static std::unique_ptr<Job> over(const std::string& flavour);
  // Over any table; `hosts` as TUTTI_HOSTS has it, empty for what the table says.
  Job(const tutti_wire& wire, const std::string& hosts, int launched_size);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  [[nodiscard]] const tutti_wire& wire() const { return *wire_; }
  // Processes come and go, with any numbers.
  [[nodiscard]] bool is_open() const { return world_.numbers != nullptr; }
  // The number of this process.
  [[nodiscard]] int rank() const { return world_.rank; }
  [[nodiscard]] int size() const { return world_.size; }
  // The numbers of those that were started together.
  [[nodiscard]] std::vector<int> world() const;
  // "rank 3", "task t40003".
  [[nodiscard]] std::string name_of(int number) const;
  // Messages to it travel by the wire. In an open job that is everybody, this process included.
  [[nodiscard]] bool far(int number) const {
    return number >= 0 && (is_open() || (number < world_.size && !here(number)));
  }
  // The lowest rank on the same host stands for the host; in an open job everybody for himself.
  [[nodiscard]] int host_of(int rank) const { return is_open() ? rank : hosts_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool here(int rank) const { return host_of(rank) == host_of(world_.rank); }
  // There is, or may come, somebody who shares no memory with this process.
  [[nodiscard]] bool apart() const { return is_open() || host_count() > 1; }
  // As MPI sees it, whatever TUTTI_HOSTS says: the lowest rank on this machine, and how many share its processors.
  [[nodiscard]] int machine() const { return world_.host; }
  [[nodiscard]] int ranks_on_machine() const { return ranks_on_machine_; }
  [[nodiscard]] int host_count() const { return is_open() ? size() : host_number(size()); }
  // Hosts are numbered in the order of their lowest ranks. In an open job -1 for one that is not of this world.
  [[nodiscard]] int host_number(int rank) const;

  // Collective; not in an open job.
  [[nodiscard]] std::string broadcast(const std::string& text, int root) const;
  template <class T>
  [[nodiscard]] std::vector<T> gather_all(const T& mine) const {
    std::vector<T> all(static_cast<std::size_t>(size()));
    check(wire_->gather_all(&mine, all.data(), static_cast<int>(sizeof(T))), "MPI_Allgather");
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
  // Calls `function(user)` at the start of an MPI_Finalize that the program makes; nullptr: nothing is called.
  void before_finalize(void (*function)(void*), void* user) {
    before_finalize_ = function;
    user_ = user;
  }
  [[nodiscard]] bool finalized() const { return finalized_; }
  // In good order; MPI is finalised if it was initialised here.
  void end() noexcept;
  void abort(int code) const { wire_->abort(code); }

 private:
  [[noreturn]] void reject(int code, const char* call) const;
  [[noreturn]] static void reject_finalized();
  void require_usable();
  void learn_hosts(const std::string& given);
  void watch_finalize();

  const tutti_wire* wire_;
  tutti_wire_world world_{};
  std::vector<int> hosts_;
  int ranks_on_machine_ = 1;
  void (*before_finalize_)(void*) = nullptr;
  void* user_ = nullptr;
  bool began_here_ = false;  // MPI was initialised for tutti
  bool finalized_ = false;
  bool ended_ = false;
};

}  // namespace tutti::transport::mpi
