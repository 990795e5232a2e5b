// SPDX-License-Identifier: BSD-3-Clause
// This process in its job: when it joins tutti and leaves, and what rank 0 has told all processes.
#pragma once

#include <cstdint>

#include "plain.hpp"

namespace tutti::mpi {

enum class MpiOperation : std::uint8_t {
#define TUTTI_MPI_OPERATION(operation, Name) operation,
#include "operations.def"
};
constexpr int operation_count = 17;
// Returns the name of the operation without "MPI_", in small letters.
[[nodiscard]] const char* name_of(MpiOperation operation);
// Returns the name of the function, such as "MPI_Bcast".
[[nodiscard]] const char* function_of(MpiOperation operation);

struct MpiJob {
  // True from MPI_Init on. MPI_Initialized of Intel MPI is also true while a session is open.
  bool begun = false;
  // True from the end of MPI_Init to MPI_Finalize, if tutti serves collectives in this job.
  bool joined = false;
  // True if a process of the job may call MPI from several threads at once. It is equal on all
  // processes, because calls that may wait beside others need all processes to start them alike.
  bool threads = false;
  // The number of a communicator's call from which on tutti serves it; equal on all processes.
  int first_call = 1;
  // All processes keep a record of their calls, and rank 0 gives the verdict at the end
  // (verdict.hpp). Equal on all processes.
  bool verdict = false;
  // For the verdict, calls that tutti has served are made again, by tutti and by the MPI. Equal on
  // all processes.
  bool compares = false;
  // Results are to depend on the data alone, so no row gives a call to the MPI.
  bool reproducible = false;
  // Operations that the MPI serves because TUTTI_MPI_OFF says so: bit i is operation i. Equal on
  // all processes.
  std::uint32_t off = 0;
  // Operations whose operators get all elements of an operand at once, because TUTTI_MPI_WHOLE says
  // so: bit i is operation i. Equal on all processes.
  std::uint32_t whole = 0;
  // A collective has failed on this process. Its end then says nothing about messages left over.
  bool failed = false;
  // A private communicator of this process, on which errors are returned.
  MPI_Comm quiet{};
  // The name of the MPI in a machine file. join() sees which MPI offers the standard interface.
#if defined(OPEN_MPI)
  const char* flavour = "openmpi";
#else
  const char* flavour = "mpich";
#endif

  [[nodiscard]] bool is_off(MpiOperation operation) const {
    return contains(off, operation);
  }
  [[nodiscard]] bool takes_whole(MpiOperation operation) const {
    return contains(whole, operation);
  }

 private:
  static bool contains(std::uint32_t bits, MpiOperation operation) {
    return (bits >> static_cast<unsigned>(operation) & 1U) != 0;
  }
};
extern constinit MpiJob job;

// Called when the MPI has been initialised, on all processes. Collective.
void join();
// Called before the MPI is finalised. Collective.
void leave();

}  // namespace tutti::mpi
