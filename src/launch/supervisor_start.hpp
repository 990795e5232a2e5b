// SPDX-License-Identifier: BSD-3-Clause
// Starts the supervisor of a program that starts its own world, without a copy of the program's
// memory (apart.hpp).
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "launch/apart.hpp"

namespace tutti::launch {

struct SupervisorStart {
  // Descriptors: the shared segment, a pidfd of the program (-1 if the system refuses it), its
  // control socket, and a job socket with its lock, which are -1 if there is none.
  int segment = -1, pidfd = -1, control = -1, socket = -1, lock = -1;
  pid_t root = -1;  // the program, which is rank 0
  std::string socket_path{};
  std::string executable{};  // the program that the other ranks run, and its arguments
  std::vector<std::string> arguments{};
  ReceivedApart received{};  // for say_taken_over(), in the new process

  [[nodiscard]] std::vector<int> descriptors() const {
    return {segment, pidfd, control, socket, lock};
  }
};

// Returns false if the supervisor cannot be a process apart here. Throws if it was killed.
[[nodiscard]] bool start_supervisor_apart(const SupervisorStart& start);

// Returns what this process has been started with; nullopt in every other process. Called once,
// with the arguments of the process.
[[nodiscard]] std::optional<SupervisorStart> received_start(int argc, char** argv);

}  // namespace tutti::launch
