// SPDX-License-Identifier: BSD-3-Clause
// Where the library for one MPI differs from the one without: what stands behind a system handle,
// and who ends MPI.
#pragma once

#include <vector>

#include "systems.hpp"

namespace tutti::blacs {

// The handle of the whole job.
[[nodiscard]] int world_handle(Language language);
// The handle of a place in the table, and back; -1 when the handle is not one of ours.
[[nodiscard]] int handle_of_place(Language language, int place);
[[nodiscard]] int place_of_handle(Language language, int handle);
// Whether a handle that is not ours is one of MPI's, and then its world ranks.
[[nodiscard]] bool numbers_communicators(Language language);
[[nodiscard]] std::vector<int> communicator_members(const char* routine, int fortran_handle);
// After blacs_exit(0).
void end_mpi();

}  // namespace tutti::blacs
