// SPDX-License-Identifier: BSD-3-Clause
// The job of a supervisor: its programs and its limits. All parts of the supervisor read it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/outcome.hpp"
#include "launch/output.hpp"
#include "launch/pool.hpp"
#include "launch/program.hpp"
#include "launch/signals.hpp"
#include "transport/timed/board.hpp"

namespace tutti::launch {

struct SupervisorOptions {
  std::string name = "tutti run";  // stands in front of reports
  // The programs in the order of the ranks that run them; none where MPI has started the ranks.
  std::vector<LaunchedProgram> programs;
  std::optional<double> timeout;  // in seconds
  OutputOptions output;
  int stdin_rank = 0;                        // the rank that inherits stdin; -1: none
  std::vector<std::vector<int>> processors;  // per rank; empty: not bound
  OperationName operation_name = nullptr;
  // Called after a failed job, when all ranks have ended. Returns advice for the user, or "" if
  // there is none.
  std::function<std::string(const Outcome&)> advice;
  // Becomes readable when the reaper has ended; -1: the job has none.
  int reaper = -1;
  // A job in virtual time has a board, which must outlive the supervisor, and a descriptor that
  // becomes readable when the timekeeper has ended.
  timed::TimedBoard* board = nullptr;
  int timekeeper = -1;
  int job_socket = -1;  // the caller's socket, at which processes ask to join
  // Set where MPI has started the job. Only tasks are then supervised, and ranks and spare
  // processes connect to the job socket.
  std::optional<Pool> pool;
  int segment = -1;  // segment for those that join; -1: that of the mapping
  // Signal settings that the launcher was started with; default: those that the constructor finds.
  std::optional<SignalSettings> signals;
};

}  // namespace tutti::launch
