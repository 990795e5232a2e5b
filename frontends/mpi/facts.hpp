// SPDX-License-Identifier: BSD-3-Clause
// The facts that a process knows of itself for the verdict, and their way to rank 0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record.hpp"

namespace tutti::mpi {

// Readings of one moment.
struct Moment {
  std::int64_t time = 0;  // ns by the clock of the job
  double processor = 0;   // seconds of processors that this process has used
};
[[nodiscard]] Moment moment_now();

// Times of this process.
struct ProcessFacts {
  std::int64_t joining = 0;  // when the MPI was ready, and it began to join
  Moment begun, ended;       // after MPI_Init, and in MPI_Finalize
  Moment compared;           // when the calls were made again
  std::int64_t ahead = 0;    // ns that its clock is ahead of that of rank 0
};

// A kind of calls with its place in words.
struct NamedKind {
  KindSums sums;
  std::string place, why;
};

// All that a process sends.
struct ProcessReport {
  std::string host;
  ProcessFacts facts;
  std::vector<NamedKind> kinds;
  std::vector<CallSample> samples;
  std::uint32_t mask = 0;
};

// Returns the reports of all processes on rank 0, and none elsewhere. Collective.
[[nodiscard]] std::vector<ProcessReport> gather_reports(const ProcessReport& mine);

}  // namespace tutti::mpi
