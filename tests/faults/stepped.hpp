// SPDX-License-Identifier: BSD-3-Clause
// Kills a process after so many instructions, for tests of what it leaves in memory that it shares.
#pragma once

#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

namespace tutti::test {

// Returns false where no process may be traced. A sanitizer executes too many instructions for it.
inline bool may_trace() {
#ifdef TUTTI_SANITIZED
  return false;
#endif
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 0;
  return ::waitpid(child, &status, 0) == child && status == 0;
}

// Runs `change` in another process, which is killed after so many instructions, or when it has made
// the change. Returns true in the second case.
inline bool is_made_within(int instructions, const std::function<void()>& change) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    ::raise(SIGSTOP);
    change();
    ::raise(SIGSTOP);
  }
  int status = 0;
  bool made = false;
  ::waitpid(child, &status, 0);
  for (int i = 0; i < instructions && !made; ++i) {
    ::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
    ::waitpid(child, &status, 0);
    made = !WIFSTOPPED(status) || WSTOPSIG(status) == SIGSTOP;
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, &status, 0);
  return made;
}

}  // namespace tutti::test
