// SPDX-License-Identifier: BSD-3-Clause
// Errors of tutti in the words of MPI, and as errors of the MPI.
#pragma once

#include "communicator.hpp"
#include "outcome.hpp"

namespace tutti::mpi {

// Gives an error of tutti to the error handler of the communicator. Returns the code for the
// program.
[[nodiscard]] int raise(MpiOperation operation, KnownCommunicator& with, MPI_Comm handle,
                        const CallOutcome& outcome);

}  // namespace tutti::mpi
