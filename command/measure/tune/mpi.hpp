// SPDX-License-Identifier: BSD-3-Clause
// `tutti tune --mpi`: measures, under the launcher of an MPI, the collectives of MPI by tutti and
// by the MPI in turns, and writes rows for those that the MPI serves faster. `tutti mpi` reads
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/runs.hpp"
#include "selection/table.hpp"

namespace tutti::tools {

// A kind of call, with the times of each pass. Each turn has a time of tutti and one of the MPI.
struct MpiPoint {
  std::string operation;
  bool mpi_combines = false;
  int ranks = 0;
  std::int64_t bytes = 0;    // as the call is measured (include/tutti/tutti_mpi_measure.h)
  selection::Range reach{};  // the sizes for which a row of the point would be
  std::vector<std::vector<Turn>> passes{};
};

// Returns the kinds of calls to measure for so many processes, without times. A call whose size
// only some members know has one row for all sizes, so all its points have the same reach.
[[nodiscard]] std::vector<MpiPoint> mpi_points(int ranks, const std::vector<std::int64_t>& sizes);

// Returns a row for each reach in which the MPI wins: at some point in each pass it is faster by 2
// % and by 20 ns, in three quarters of the turns, and it is slower at no point. Reaches that follow
// each other get one row.
[[nodiscard]] std::vector<selection::MpiRow> native_rows(const std::vector<MpiPoint>& points,
                                                         const std::string& mpi,
                                                         const selection::RowOrigin& now);

struct MpiTuneRequest {
  std::string file;
  std::vector<int> ranks;  // those that the job has are measured, and all of its processes together
  std::vector<std::int64_t> sizes;
  double seconds = 60;
  bool dry_run = false;
  // The first process calls this before anything is measured. If it throws Error, all stop.
  std::function<void()> begin;
  // The first process calls this with a reason, if other processes have disturbed the measurement.
  // It throws Error if nothing is to be written then.
  std::function<void(const std::string& why)> disturbed;
};
// All processes of the job call this, and the first one writes. Returns the exit code. Throws
// base::Error.
int tune_mpi(const MpiTuneRequest& request);

}  // namespace tutti::tools
