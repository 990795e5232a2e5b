// SPDX-License-Identifier: BSD-3-Clause
// MPI_Init, MPI_Init_thread and MPI_Finalize for both languages.
#pragma once

#include "plain.hpp"

namespace tutti::mpi {

[[nodiscard]] int initialise(int* argc, char*** argv);
[[nodiscard]] int initialise_with_threads(int* argc, char*** argv, int required, int* provided);
[[nodiscard]] int finalise();

}  // namespace tutti::mpi
