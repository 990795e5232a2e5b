// SPDX-License-Identifier: BSD-3-Clause
// The functions that differ between the library for one MPI and the one without MPI: the meaning of
// a system handle, the communicators of contexts, and the end of MPI.
#pragma once

#include <optional>
#include <vector>

#include "errors.hpp"
#include "systems.hpp"

namespace tutti::blacs {

// Returns the handle of the whole job.
[[nodiscard]] int world_handle(Language language);
// handle_of_place and place_of_handle convert between a place in the table of system handles and
// its handle. The place is -1 if the handle is not from this table.
[[nodiscard]] int handle_of_place(Language language, int place);
[[nodiscard]] int place_of_handle(Language language, int handle);
// Returns true if other handles are MPI's communicators; then communicator_members gives their
// world ranks.
[[nodiscard]] bool numbers_communicators(Language language);
[[nodiscard]] std::vector<int> communicator_members(const char* routine, int fortran_handle);

// Called by all processes when they have joined the job.
void set_up_communicators();
// Called by blacs_exit(0) before the job is left.
void end_communicators();
// Makes the communicator of a new grid, if all its processes can say so without being asked for it.
void offer_communicator(const char* routine, Scope& scope);
// Makes the communicator of a scope whose handle is asked for, if it has none. All processes of the
// scope call this.
void provide_communicator(const RoutineCall& call, Scope& scope);
// Returns the communicator of a scope if it is itself a system handle of that language.
[[nodiscard]] std::optional<int> communicator_handle(Language language, const Scope& scope);
void free_communicator(Scope& scope);

// Returns what to add to a message that refuses a handle: which library of tutti the program needs.
[[nodiscard]] std::string advice_on_handles();

// Warns that each process is an MPI_COMM_WORLD of its own, if the job has several.
void warn_of_worlds_of_one(const char* flavour);

// Ends MPI after blacs_exit(0).
void end_mpi();
// Leaves the job, and ends MPI unless another process of the host has failed.
[[nodiscard]] tutti_status finalize_with_mpi();

}  // namespace tutti::blacs
