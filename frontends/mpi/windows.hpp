// SPDX-License-Identifier: BSD-3-Clause
// Counts the windows and files that are open. Their accesses may need a process that waits in a
// collective of tutti, so it then lets the MPI work more often.
//
// Under MPICH accesses to a window are messages, which the target takes in while it is in a call of
// the MPI. Programs rely on it that they have arrived behind a barrier. So barriers of a
// communicator from which an open window was made are the MPI's. All members know these windows,
// because they make and free them together.
#pragma once

#include "plain.hpp"

namespace tutti::mpi {

// Counts one more or one less if the MPI has made or freed the object. Returns the MPI's code.
int counted(int code, int change);

}  // namespace tutti::mpi
