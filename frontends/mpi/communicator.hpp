// SPDX-License-Identifier: BSD-3-Clause
// A communicator of the program, and the group of tutti that serves its calls.
#pragma once

#include <atomic>
#include <memory>

#include "job.hpp"
#include "library.hpp"
#include "servers.hpp"

namespace tutti::mpi {

struct KnownCommunicator {
  int size = 0, rank = 0;
  tutti_group group{0};
  bool ours = false;  // the group serves the calls
  // The class of the error with which a call has failed half-way, so that no later one can be
  // right.
  int broken = MPI_SUCCESS;
  int calls = 0;  // collectives so far, a number that all members know
  // A number that the members of no other communicator have; 0 before there was a group.
  std::uint64_t label = 0;
  std::uint32_t recorded = 0;  // collectives in the record (record.hpp)
  // Why the MPI serves the calls.
  const char* why_not = nullptr;
  // Nothing will change why_not.
  bool settled = false;
  // Present if the group serves calls.
  std::unique_ptr<Servers> servers;
  // How many windows that were made from it are open; see windows.hpp. The windows keep the number,
  // too, because they may outlive the communicator.
  std::shared_ptr<std::atomic<int>> open_windows;

  [[nodiscard]] bool has_open_window() const {
    return open_windows != nullptr && *open_windows > 0;
  }
  [[nodiscard]] bool has(int root) const { return root >= 0 && root < size; }
};

// Makes the attribute that keeps a KnownCommunicator with its communicator, and the group of
// MPI_COMM_WORLD. Collective.
void set_up_communicators();
// Returns what belongs to the handle. nullptr if it is no communicator, of which the MPI speaks.
[[nodiscard]] KnownCommunicator* find_communicator(MPI_Comm handle);
// Counts a call, and makes the group if it is the time for it. Returns true if the group serves
// this call. All members come to the same result. May communicate by the MPI.
[[nodiscard]] bool count_call(KnownCommunicator& communicator, MPI_Comm handle);

}  // namespace tutti::mpi
