// SPDX-License-Identifier: BSD-3-Clause
// `tutti mpi --compare`: at MPI_Finalize, the calls that tutti has served are made again, by tutti
// and by the MPI in turns, with data of the same sizes.
#pragma once

#include <vector>

#include "measure.hpp"

namespace tutti::mpi {

// Calls of one size that were made again.
struct Compared {
  MpiOperation operation{};
  Applier applier = Applier::tutti;
  int members = 0;
  std::int64_t calls = 0, bytes = 0;  // calls of rank 0 in the program, and bytes of one
  MeasuredTurns turns;
};

// Makes the calls again that rank 0 has recorded. Collective over MPI_COMM_WORLD. Returns what was
// measured on rank 0.
[[nodiscard]] std::vector<Compared> compare_calls();

}  // namespace tutti::mpi
