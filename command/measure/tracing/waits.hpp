// SPDX-License-Identifier: BSD-3-Clause
// Finds the longest waits in a trace, for whom they were, and what that process did meanwhile.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace tutti::tools {

// A wait of a process. Times are microseconds since the begin of the trace.
struct TracedWait {
  int process = 0;
  int peer = -1;  // the process that it is for; -1 if that is not known
  int more = 0;   // further processes that it is for
  double begin = 0, length = 0;
  // How long the peer was in no call meanwhile.
  double outside = 0;
  std::string call, operation, algorithm, group;
  int round = 0;  // rounds count from 1; 0 for none
  std::int64_t number = 0, bytes = 0;
  bool unfinished = false;  // the process has ended in it
};

struct TracedProcess {
  std::string title;
  std::int64_t calls = 0, waits = 0, lost = 0;  // lost: earlier records that are overwritten
  double in_calls = 0, waiting = 0;
};

struct TracedJob {
  std::map<int, TracedProcess> processes;
  std::vector<TracedWait> longest;  // the longest first
  double begin = 0, end = 0;
};

// Reads a trace event by event, so that it takes less memory than the file. Throws
// Error(invalid_argument) if it is none.
[[nodiscard]] TracedJob traced_job(std::istream& trace, const std::string& name, std::size_t most);

}  // namespace tutti::tools
