// SPDX-License-Identifier: BSD-3-Clause
// Lets one process report an error that several have. Processes of another launcher that cannot
// join a job fail at once, for the same reason, and have no supervisor. One of those that have the
// same parent and the same message writes it for all.
#pragma once

#include <string>

namespace tutti::launch {

// Called when this process is about to end. Writes the line to stderr and waits a moment for late
// processes, or returns after another process has written it. The wait matters because a launcher
// may end all processes when one has ended, also the one that writes.
void say_for_all(const std::string& line);

}  // namespace tutti::launch
