// SPDX-License-Identifier: BSD-3-Clause
// Starts a process that watches a program and must not have a copy of its memory. A fork of the
// program would keep all that the program changes later. So the new process loads nothing but
// tutti: it executes `true` with this library preloaded, which takes over before main begins
// (docs/internals/supervisor.md, "A self-started supervisor is a new process image"). The
// self-started supervisor and the failure monitor begin so.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tutti::launch {

struct ApartStart {
  const char* name;  // the first argument of the process, by which it knows what it is
  std::vector<std::string> words{};  // what it is told
  std::vector<int> descriptors{};    // stay open under their numbers; -1 stands for none
  // False if the process only starts another one and ends, so that the program gets no child.
  bool stays_child = true;
};

struct ApartResult {
  bool runs = false;
  int killed_by = 0;  // the signal that has killed the process instead
};

// Returns when the process has taken over. It does not run if that is impossible here: no program
// `true`, a sanitizer, which must be loaded before this library, or no library at all, because
// tutti is a part of the program.
[[nodiscard]] ApartResult start_apart(const ApartStart& start);

struct ReceivedApart {
  int ready = -1;  // the pipe for say_taken_over(); -1 if nobody waits for that
  std::vector<std::string> words{};
};

// Returns what this process has been started with under this name; nullopt in every other process.
// Called with the arguments of the process.
[[nodiscard]] std::optional<ReceivedApart> received_apart(const char* name, int argc, char** argv);
// Lets start_apart() return in the program, and closes the pipe. If the new process ends before, it
// does not run.
void say_taken_over(const ReceivedApart& received);

}  // namespace tutti::launch
