// SPDX-License-Identifier: BSD-3-Clause
// Locks on files that the system frees when their process ends, however it ends. They belong to the
// process: a child made by fork() has none of them, and a process loses all locks on a file when it
// closes any descriptor of it.
#pragma once

#include "base/descriptor.hpp"

namespace tutti::trace {

using base::Descriptor;

// The purpose of a lock. Each purpose has a byte of its own.
enum class Purpose : int {
  content,  // somebody writes into the file
  living,   // a process of the job lives
  speaker,  // somebody has told of a problem
};

// These functions throw Error(system_error) if the system has no lock. An exclusive lock that stays
// by mistake would let the others wait for ever.
// Takes the lock alone, without waiting. Returns false if another process has it.
[[nodiscard]] bool take_if_free(const Descriptor& file, Purpose purpose);
// Waits for the lock, alone or beside others that share it.
void take(const Descriptor& file, Purpose purpose);
void share(const Descriptor& file, Purpose purpose);
void give_back(const Descriptor& file, Purpose purpose);

}  // namespace tutti::trace
