// SPDX-License-Identifier: BSD-3-Clause
// The file of a job's record, in JSON. `tutti verdict` reads it; the manual page tutti-verdict(1)
// says what it contains.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "facts.hpp"

namespace tutti::mpi {

// All that the file says.
struct JobRecord {
  std::string program, mpi;
  std::vector<ProcessReport> reports;  // of all ranks
  std::vector<Compared> compared;
  bool compares = false;
  int processors = 1;  // of the host of rank 0
  // Lines of /proc/stat of the host of rank 0 after MPI_Init, in MPI_Finalize, and when the calls
  // were made again.
  std::string load[3];
};

// Writes it. ferror() tells of failures.
void write_record(std::FILE* file, const JobRecord& all);

}  // namespace tutti::mpi
