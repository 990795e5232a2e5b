// SPDX-License-Identifier: BSD-3-Clause
// The functions that differ between the library for one MPI and the one without MPI: the meaning of
// a system handle, and the end of MPI.
#pragma once

#include <vector>

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
// Ends MPI after blacs_exit(0).
void end_mpi();

}  // namespace tutti::blacs
