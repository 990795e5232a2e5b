// SPDX-License-Identifier: BSD-3-Clause
// All processes below this one: children, grandchildren of shell scripts, and orphans that this
// process has adopted. The supervisor uses them to leave nothing running.
#pragma once

#include <sys/types.h>

#include <optional>
#include <vector>

namespace tutti::launch {

// Returns all descendants, found by the parent column of /proc, without zombies. The list may be
// outdated on return: call again until waitpid says that no child is left. Returns nullopt where
// proc_is_ours() is false.
[[nodiscard]] std::optional<std::vector<pid_t>> descendants();

// Returns true if /proc is there and shows pids as this process sees them. In a new pid namespace
// it may still be that of the old one, where our numbers belong to strangers.
[[nodiscard]] bool proc_is_ours();

// Makes orphans below this process its children from now on, so that none of them can escape.
void adopt_orphans();

}  // namespace tutti::launch
