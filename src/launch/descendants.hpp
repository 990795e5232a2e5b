// SPDX-License-Identifier: BSD-3-Clause
// All processes below this one: children, grandchildren of shell scripts, and orphans
// that came back to it.
#pragma once

#include <sys/types.h>

#include <vector>

namespace tutti::launch {

// From the parent column of /proc; zombies are left out. A moment old by the time it returns: call
// it again until waitpid says that there is no child left.
[[nodiscard]] std::vector<pid_t> descendants();

void signal_descendants(int signal);

// From now on orphans below this process become its children, so that none of them can
// get away.
void adopt_orphans();

}  // namespace tutti::launch
