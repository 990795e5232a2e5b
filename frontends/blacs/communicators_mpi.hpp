// SPDX-License-Identifier: BSD-3-Clause
// Functions that the files of a library for one MPI share: communicators_mpi.cpp has the handles of
// the program's communicators, contexts_mpi.cpp the communicators of contexts.
#pragma once

#include <mpi.h>

#include "grid.hpp"

namespace tutti::blacs {

// Returns true if MPI was initialised and is not finalised.
[[nodiscard]] bool mpi_alive();
// Returns MPI_COMM_NULL if the scope has none.
[[nodiscard]] MPI_Comm communicator_of(const Scope& scope);

}  // namespace tutti::blacs
