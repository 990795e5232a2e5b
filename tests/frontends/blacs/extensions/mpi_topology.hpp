// SPDX-License-Identifier: BSD-3-Clause
// Tests TOP 'P' of BLACS 1.1 in processes that an MPI has started.
#pragma once

#include "harness.hpp"

namespace conformance {

void mpi_topology_cases(const Grid& grid, Tally& tally);

}  // namespace conformance
