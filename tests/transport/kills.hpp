// SPDX-License-Identifier: BSD-3-Clause
// Kills a process after a number of instructions, and counts the blocks that are free afterwards.
#pragma once

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "transport/shm/heap.hpp"

namespace tutti::transport::shm {

// Takes all free blocks of this size off the heap, at most `most`. Returns how many there were.
inline std::size_t free_blocks(const Mapping& mapping, std::size_t bytes, std::size_t most) {
  Heap heap(mapping);
  const std::uint64_t end = mapping.header().heap_top.see();
  std::set<std::uint64_t> found;
  while (found.size() < most) {
    const auto offset = heap.allocate(bytes);
    if (!offset || *offset >= end) break;
    EXPECT_TRUE(found.insert(*offset).second) << "a block was freed twice";
  }
  return found.size();
}

enum class Child { ended, was_killed, cannot_be_traced };

// Runs an action in a child, which stops before and after it, and kills the child after so many
// instructions of the action. The functions that it calls have been called before, because the
// dynamic linker finds a function at its first call by thousands of instructions.
template <class Action>
Child kill_after(long instructions, const Action& action) {
  raise(0);
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    action();
    raise(SIGSTOP);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) return Child::cannot_be_traced;
  bool ended = false;
  for (; instructions > 0 && !ended; --instructions) {
    ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
    waitpid(child, &status, 0);
    ended = WIFEXITED(status) || WSTOPSIG(status) == SIGSTOP;
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return ended ? Child::ended : Child::was_killed;
}

}  // namespace tutti::transport::shm
