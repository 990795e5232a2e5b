// SPDX-License-Identifier: BSD-3-Clause
// The variables of the environment that say what tutti serves in a program of MPI.
#pragma once

namespace tutti::mpi {

// Reads the settings on rank 0, tells them to all processes, and puts them into `job`. A value that
// cannot be used is named on stderr. Collective.
void hear_settings(int rank);

}  // namespace tutti::mpi
