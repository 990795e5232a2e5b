// SPDX-License-Identifier: BSD-3-Clause
// The places of the program that call collectives.
#pragma once

#include <cstdint>

namespace tutti::mpi {

// Returns the site, as tutti_call_site does, of a call of MPI that returns to `caller`. Most are
// known by that address, and need no look at the stack.
[[nodiscard]] std::uint64_t site_of_call(const void* caller);

}  // namespace tutti::mpi
