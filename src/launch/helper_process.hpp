// SPDX-License-Identifier: BSD-3-Clause
// Starts a helper: a process that serves a program and must not have a copy of the program's
// memory, because a fork of the program would keep all that the program changes later. So a helper
// loads nothing but tutti: it executes `true` with this library preloaded, which takes over before
// main begins (docs/internals/supervisor.md, "A self-started supervisor is a new process image").
// If that is impossible, the program forks.
//
// The kinds of helpers are listed where the library is loaded (src/api/life.cpp).
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "launch/outcome.hpp"
#include "transport/shm/mapping.hpp"

namespace tutti::launch {

// The words and descriptors that a helper is given.
struct Helper {
  std::vector<std::string> words{};
  std::vector<int> descriptors{};  // stay open under their numbers; -1 stands for none
  OperationName operation_name = nullptr;
  // The program's. A helper that is forked uses it, because a second one may not fit (ulimit -v).
  transport::shm::Mapping* mapping = nullptr;
  int answer = -1;  // the pipe for say_begun(); -1: nobody waits for that, or not any more

  // Lets start_helper() return in the program.
  void say_begun();
};

// A child is in the session of the program and has its stdin, stdout and stderr. A helper without a
// tie is no child, for which the program might wait; it has a session of its own, which gets no
// signal for the program's group, and only stderr.
enum class HelperTie { child, none };

struct HelperKind {
  const char* name;  // of the process, in at most 15 characters
  HelperTie tie;
  // Runs in the helper, which has none of the program's handlers, and no descriptor but its own.
  // The process ends by _exit when this returns or throws, because buffers and destructors may
  // belong to the program. Errors are said on stderr.
  void (*run)(Helper& helper);
};

struct HelperResult {
  bool begun = false;
  int killed_by = 0;  // SIGKILL or SIGTERM, if somebody has ended the helper before that
  int error = 0;      // the errno that says why there is no helper
};

// Returns when the helper has begun, or cannot. Throws Error if nobody can tell.
[[nodiscard]] HelperResult start_helper(const HelperKind& kind, Helper helper);

// Does not return if this process was started to be a helper. Called when the library is loaded,
// with the arguments of the process.
void serve_as_helper(int argc, char** argv, std::initializer_list<HelperKind> kinds,
                     OperationName operation_name);

}  // namespace tutti::launch
