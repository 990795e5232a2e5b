// SPDX-License-Identifier: BSD-3-Clause
// The record of a program's collectives, which `tutti mpi --verdict` writes (frontends/mpi,
// record_file.cpp).
#pragma once

#include <string>
#include <vector>

#include "support/quiet.hpp"

namespace tutti::tools {

// Times are seconds by the clock of rank 0.
struct RecordedRank {
  std::string host;
  double joining = 0;   // the MPI was ready, and tutti began to join
  double begun = 0;     // MPI_Init was over
  double ended = 0;     // entered MPI_Finalize
  double compared = 0;  // calls had been made again
  // Seconds of processors that the process had used at the last three of these.
  double used_at_begin = 0, used_at_end = 0, used_when_compared = 0;
};

// Calls that are alike, on one rank.
struct RankSums {
  int rank = 0;
  double calls = 0, bytes = 0, seconds = 0;
};
struct RecordedKind {
  std::string operation, place;
  int members = 0;  // 0: unknown
  bool by_tutti = true;
  bool mpi_operator = false;
  std::string why;  // why the MPI has served them
  std::vector<RankSums> ranks;
};

// One call on one rank.
struct RecordedCall {
  int rank = 0, kind = 0;
  double begun = 0, taken = 0;
  bool is_root = false;
};

// Calls of one size that were made again.
struct RepeatedCalls {
  std::string operation;
  bool mpi_operator = false;
  int members = 0;
  double calls = 0, bytes = 0;           // calls of rank 0 in the program, bytes of one
  std::vector<double> tutti_us, mpi_us;  // one call, in each turn
};

struct MpiRecord {
  std::string program, mpi;
  std::vector<RecordedRank> ranks;
  std::vector<RecordedKind> kinds;
  int one_in = 1;                                  // one call in so many is a sample
  std::vector<std::vector<RecordedCall>> samples;  // each with all members of its communicator
  bool compares = false;
  std::vector<RepeatedCalls> compared;
  // The load of the host of rank 0 while the program ran, and while calls were made again. The
  // processes of this job count as own ones.
  Load load, load_comparing;
};

// Throws Error(invalid_argument) if the file cannot be read or is no such record.
[[nodiscard]] MpiRecord read_mpi_record(const std::string& file);

}  // namespace tutti::tools
