// SPDX-License-Identifier: BSD-3-Clause
// Calls of Linux that emscripten lacks. In a browser each says that the host has nothing of it.
#pragma once

#include <sched.h>

#include <cstddef>

namespace tutti::base {

// Returns the value of an environment variable; nullptr if it is not set. A program that runs with
// rights that its caller does not have gets nullptr for every variable, because some of them name
// files to write or libraries to load.
const char* trusted_variable(const char* name) noexcept;

// Asks for the processors on which this process may run. Returns false, with errno, if that fails.
bool read_affinity(cpu_set_t* set, std::size_t bytes) noexcept;

// Closes these descriptors. Returns false where the call is missing: in Linux before 5.9 and in
// some sandboxes.
bool close_descriptors(unsigned first, unsigned last) noexcept;

// Copies a word of this process by the two calls that copy between processes, there and back.
// Returns 0, or the errno with which the system refuses one of them.
int try_copy_between_processes() noexcept;

}  // namespace tutti::base
