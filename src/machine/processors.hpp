// SPDX-License-Identifier: BSD-3-Clause
// Counts the processors of this host.
#pragma once

namespace tutti::machine {

// Returns the number of processors that are online, even if this process may not use all of them.
// An MPI binds each rank to one processor, and values on which all ranks must agree cannot depend
// on that.
[[nodiscard]] int processors_online();

}  // namespace tutti::machine
