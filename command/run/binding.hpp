// SPDX-License-Identifier: BSD-3-Clause
// Chooses the processors to which `tutti run` binds each rank.
#pragma once

#include <string>
#include <vector>

namespace tutti::tools {

constexpr const char* bindings = "none, thread, core, l3, numa, socket or list:0-3,8";

// The folder in which the kernel says what processors share, and the processors that may be used.
struct Processors {
  std::string folder;
  std::vector<int> usable;
};

// Returns this machine's processors, of which this process may use some.
[[nodiscard]] Processors these_processors();

// Returns the processors of each rank, out of those that may be used; nothing if `what` is none.
// Rank r gets part r of the machine, and ranks beyond the last part start again with part 0. A part
// is a hardware thread, a core, the processors that share a cache or a memory, a socket, or one
// processor of a list such as "list:0-3,8". Parts that are near each other have neighbouring
// numbers: threads of a core, cores of a cache, caches of a memory. Throws
// base::Error(invalid_argument) if `what` is none of these, or names processors that cannot be
// used.
[[nodiscard]] std::vector<std::vector<int>> bind_ranks(const std::string& what, int ranks,
                                                       const Processors& machine);

}  // namespace tutti::tools
