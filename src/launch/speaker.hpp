// SPDX-License-Identifier: BSD-3-Clause
// Lets one process report an error that several have and no supervisor reports. Processes of
// another launcher that cannot join a job fail at once, for the same reason. Processes that have
// left their job may all make the same wrong call.
#pragma once

#include <sys/types.h>

#include <string>

namespace tutti::launch {

// Called when this process is about to end. `process` is one that all processes of a job have in
// common. One of those that give the same process and the same line writes the line to stderr and
// waits a moment for late ones; the others return after it has been written. The wait matters
// because a launcher may end all processes when one has ended, also the one that writes.
void say_for_all(pid_t process, const std::string& line);

}  // namespace tutti::launch
