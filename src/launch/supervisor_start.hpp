// SPDX-License-Identifier: BSD-3-Clause
// Starts the supervisor of a program that starts its own world. A fork of the program would keep a
// copy of all memory that the program changes later. So the supervisor is a process that loads
// nothing but tutti: it executes `true` with this library preloaded, which takes over before main
// begins (decision 0062).
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace tutti::launch {

struct SupervisorStart {
  // Descriptors: the shared segment, a pidfd of the program (-1 if the system refuses it), its
  // control socket, and a job socket with its lock, which are -1 if there is none.
  int segment = -1, pidfd = -1, control = -1, socket = -1, lock = -1;
  int ready = -1;   // the pipe for say_taken_over(), in the new process
  pid_t root = -1;  // the program, which is rank 0
  std::string socket_path{};
  std::string executable{};  // the program that the other ranks run, and its arguments
  std::vector<std::string> arguments{};

  [[nodiscard]] std::vector<int> descriptors() const {
    return {segment, pidfd, control, socket, lock};
  }
};

// Starts a process that gets these and nothing of this one's memory. Returns false if that
// is impossible here: no program `true`, a sanitizer, which must be loaded before this library, or
// no library at all, because tutti is a part of the program. Throws if the process was killed.
[[nodiscard]] bool start_apart(const SupervisorStart& start);

// Returns what this process has been started with; nullopt in every other process.
// Called once, with the arguments of the process.
[[nodiscard]] std::optional<SupervisorStart> received_start(int argc, char** argv);
// Tells the program that it has a supervisor. If the new process ends before, start_apart() returns
// false there.
void say_taken_over(const SupervisorStart& given);

}  // namespace tutti::launch
