// SPDX-License-Identifier: BSD-3-Clause
// Lines of Python as call sites. A package such as mpi4py calls from compiled code, whose addresses
// say nothing about the program.
#pragma once

#include <cstdint>
#include <string>

namespace tutti::base {

// Sites that are lines have this bit, which no address has.
constexpr std::uint64_t python_bit = std::uint64_t{1} << 63;

// Returns true if this process has an interpreter of Python.
[[nodiscard]] bool has_python();
// Returns the site of the line that this thread executes; 0 if it executes no Python. The thread
// may have let the interpreter go, and waits for it then.
[[nodiscard]] std::uint64_t python_site();
// Returns a text such as "kmeans.py:22" for a site with python_bit.
[[nodiscard]] std::string python_site_text(std::uint64_t site);

}  // namespace tutti::base
