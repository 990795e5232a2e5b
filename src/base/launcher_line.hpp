// SPDX-License-Identifier: BSD-3-Clause
// The line by which MPICH's launcher hears a process that it has started.
#pragma once

#include <optional>

namespace tutti::base {

// Returns the descriptor of that line; nullopt if this process has none, or if another process than
// that launcher has started this one and can go on without it.
[[nodiscard]] std::optional<int> launcher_line();

}  // namespace tutti::base
