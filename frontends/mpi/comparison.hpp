// SPDX-License-Identifier: BSD-3-Clause
// `tutti mpi --compare`: at MPI_Finalize, the calls that tutti has served are made again, by tutti
// and by the MPI in turns, with data of the same sizes.
#pragma once

#include "servers.hpp"

namespace tutti::mpi {

// A kind of calls, apart from their size.
struct ComparedKind {
  MpiOperation operation{};
  Applier applier = Applier::tutti;
  int members = 0;
  friend auto operator<=>(const ComparedKind&, const ComparedKind&) = default;
};

// Notes a call that tutti serves.
void note_for_comparison(const ComparedKind& kind, Count bytes);

// Seconds that the calls of an operation take, by the comparison.
struct ComparedTimes {
  double ours = 0, theirs = 0;
};
// Makes the calls that rank 0 has noted. Collective over MPI_COMM_WORLD.
void compare_calls();
// Returns the times of an operation; zero if nothing was compared.
[[nodiscard]] ComparedTimes compared_times(MpiOperation operation);

}  // namespace tutti::mpi
