// SPDX-License-Identifier: BSD-3-Clause
// How many processors this host has.
#pragma once

namespace tutti::machine {

// Those that are online, whatever this process may use of them: an MPI binds each rank to one, and
// what all ranks must agree on cannot depend on that.
[[nodiscard]] int processors_online();

}  // namespace tutti::machine
