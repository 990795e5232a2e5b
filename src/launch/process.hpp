// SPDX-License-Identifier: BSD-3-Clause
// Starting one process as a rank, and learning how any process ended, child or not.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "launch/descriptor.hpp"
#include "launch/outcome.hpp"
#include "launch/program.hpp"
#include "launch/signals.hpp"

namespace tutti::launch {

struct StartRequest {
  const std::string* executable;  // looked up in PATH when it has no slash
  const std::vector<std::string>* arguments;
  const Setting* setting;
  int world_rank;  // what TUTTI_RANK and TUTTI_SIZE tell scripts
  int world_size;
  int rank;  // the endpoint's id
  int segment;
  int supervisor;   // the rank's end of its control socket
  int output = -1;  // become its stdout and stderr when given
  int error = -1;
  bool keep_stdin = false;             // else /dev/null
  const std::vector<int>* processors;  // to bind to; empty or null = as inherited
  const SignalSettings* signals;       // what the launcher itself was started with
  rlimit descriptors;                  // likewise
  bool below_mpi = false;  // this process has descriptors and variables that are MPI's own
};

enum class StartStep : int { fork, folder, program };

struct StartResult {
  pid_t pid = -1;
  int error = 0;  // errno of the step that failed; then there is no process
  StartStep failed = StartStep::fork;
};

[[nodiscard]] StartResult start_process(const StartRequest& request);

// Invalid when there is no such process.
[[nodiscard]] Descriptor open_pidfd(pid_t pid);

// To the process of a pidfd; nothing happens when it has ended.
void send_signal(int pidfd, int signal);

// After the pidfd became readable. Asks, in this order, what the kernel tells a parent, what newer
// kernels tell every owner of a pidfd, what /proc shows of a zombie, and the note the process left
// in its endpoint.
[[nodiscard]] Ending ending_of(int pidfd, pid_t pid, std::uint32_t exit_note);

// From the first step of its end until nothing is left of it.
[[nodiscard]] bool is_ending(pid_t pid);

// Raises the limit on descriptors to what is allowed; returns what it was before.
rlimit raise_descriptor_limit();

}  // namespace tutti::launch
