// SPDX-License-Identifier: BSD-3-Clause
// All processes below this one: children, grandchildren of shell scripts, and orphans that this
// process has adopted. The supervisor uses them to leave nothing running.
#pragma once

#include <sys/types.h>

#include <vector>

namespace tutti::launch {

// Returns all descendants, found by the parent column of /proc, without zombies. The list may be
// outdated on return: call again until waitpid says that no child is left.
[[nodiscard]] std::vector<pid_t> descendants();

void signal_descendants(int signal);

// Makes orphans below this process its children from now on, so that none of them can escape.
void adopt_orphans();

}  // namespace tutti::launch
