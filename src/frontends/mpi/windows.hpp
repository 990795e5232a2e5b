// SPDX-License-Identifier: BSD-3-Clause
// Counts the windows and files that are open. Their accesses may need a process that waits in a
// collective of tutti, so it then lets the MPI work more often.
#pragma once

#include "plain.hpp"

namespace tutti::mpi {

// Counts one more or one less if the MPI has made or freed the object. Returns the MPI's code.
int counted(int code, int change);

}  // namespace tutti::mpi
