// SPDX-License-Identifier: BSD-3-Clause
// Tests of what today's BLACS add to BLACS 1.1. Each function tests one addition on one grid.
#pragma once

#include "harness.hpp"
#include "names.hpp"

namespace conformance {

[[nodiscard]] inline Place place_of(const Grid& grid, int rank) {
  return {rank / grid.columns, rank % grid.columns};
}

// Says what has started the processes. Those of `tutti run` share memory, so that after a barrier
// all messages have come that were sent before it.
enum class Launcher { none, tutti, mpi };

void anybody_cases(const Grid& grid, Launcher launcher, Tally& tally);
void user_combine_cases(const Grid& grid, Tally& tally);
void list_cases(const Grid& grid, Tally& tally);
// An MPI has started the processes.
void mpi_topology_cases(const Grid& grid, Tally& tally);

}  // namespace conformance
