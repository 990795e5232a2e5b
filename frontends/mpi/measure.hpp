// SPDX-License-Identifier: BSD-3-Clause
// Measures calls by tutti and by the MPI in turns, on a communicator of its own
// (tutti_mpi_measure.h).
#pragma once

#include <tutti/tutti_mpi_measure.h>

#include <functional>
#include <vector>

#include "servers.hpp"

namespace tutti::mpi {

// A kind of call, described as by tutti_mpi_cell.
struct MeasuredCall {
  MpiOperation operation{};
  Applier applier = Applier::tutti;
  Count bytes = 0;
};

struct MeasuredTurns {
  std::vector<double> ours, theirs;  // us of a call, of the slowest member; equal on all members
};

// Calls got(number of the call, its times) on every member. Collective over MPI_COMM_WORLD. Returns
// false if the group of tutti cannot be made.
bool measure_calls(const tutti_mpi_measurement& how, const std::vector<MeasuredCall>& calls,
                   const std::function<void(int, const MeasuredTurns&)>& got);

}  // namespace tutti::mpi
