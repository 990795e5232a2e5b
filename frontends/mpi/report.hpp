// SPDX-License-Identifier: BSD-3-Clause
// Says who has served the calls of the program, if TUTTI_EXPLAIN asks for that. Lines about calls
// that tutti serves come from libtutti.
#pragma once

#include <cstdint>

#include "job.hpp"

namespace tutti::mpi {

// Windows and files that the program has opened, if tutti serves collectives.
extern constinit std::int64_t opened_objects;

void set_up_report(int rank);
// Says once for each place and reason that the MPI serves a call, if this process explains.
void say_served_by_mpi(MpiOperation operation, std::uint64_t site, const char* reason);
// Writes the table of all operations, if this process explains. Returns false if the file could not
// take it, or lines before.
[[nodiscard]] bool print_report();

}  // namespace tutti::mpi
