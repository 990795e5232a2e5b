// SPDX-License-Identifier: BSD-3-Clause
// Which processors each rank is bound to.
#pragma once

#include <string>
#include <vector>

namespace tutti::tools {

constexpr const char* bindings = "none, thread, core, l3, numa, socket or list:0-3,8";

// The processors of each rank, of those that this process may use; empty when `what` is none. Rank
// r gets part r of the machine, counted from 0 again behind the last part. A part is a hardware
// thread, a core, what shares a cache or a memory, a socket, or one entry of a list such as
// "list:0-3,8", where each range stands for its processors one by one. Throws
// base::Error(invalid_argument) when `what` is none of these, or names processors that cannot be
// used.
[[nodiscard]] std::vector<std::vector<int>> bind_ranks(const std::string& what, int ranks);

}  // namespace tutti::tools
