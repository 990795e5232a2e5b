// SPDX-License-Identifier: BSD-3-Clause
// Finds where in the user's program a call of tutti comes from, for TUTTI_EXPLAIN and the profiles
// of front ends.
#pragma once

#include <cstdint>
#include <string>

namespace tutti::api {

// Returns where this thread calls from: the innermost return address on its stack that is not in
// one of tutti's own libraries, nor in the part of an MPI that serves Fortran. In a module of
// Python it is the line of Python that has called it (python_site.hpp). 0 if there is none.
[[nodiscard]] std::uint64_t calling_site();
// Returns true if what nobody catches, and has led to std::terminate, passes through a function of
// tutti's own libraries. Called by a handler of std::terminate.
[[nodiscard]] bool passes_through_tutti();

// Returns a text such as "solve+0x5f (prog+0x1a5f)": the function, and the object with the address
// that `addr2line -e prog` takes. Unknown parts are left out.
[[nodiscard]] std::string place_of(std::uintptr_t address);
// Returns a text such as "solve.c:12"; an empty text if the program has no line numbers or
// addr2line is not installed. Starts a process.
[[nodiscard]] std::string line_of(std::uintptr_t address);
// Returns both of a site, such as "solve+0x5f (prog+0x1a5f), solve.c:12", or a line of Python such
// as "kmeans.py:22". May start a process.
[[nodiscard]] std::string site_text(std::uint64_t site);

}  // namespace tutti::api
