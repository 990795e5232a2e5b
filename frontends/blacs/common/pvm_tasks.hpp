// SPDX-License-Identifier: BSD-3-Clause
// Tasks of tutti's PVM as processes of the BLACS. The library of PVM is found in the program, which
// is linked with it if it has task identifiers.
#pragma once

#include <tutti/tutti.h>

#include <string>

namespace tutti::blacs {

// Returns the group of the tasks, in their order. A wrong argument ends the job.
[[nodiscard]] tutti_group group_of_tasks(const char* routine, int count, const int* tids);
// Ends the job if PVM has spawned this process, or others from here: each pvm_spawn makes a world
// of its own, and without SETPVMTIDS it would be a machine of its own.
void reject_unnamed_tasks(const char* routine);
// Returns this task's identifier as PVM's console prints it, such as t40003. Empty if PVM has
// neither spawned this process nor others from here.
[[nodiscard]] std::string own_tid();
// Calls pvm_exit. Returns false if the program has no PVM.
[[nodiscard]] bool leave_pvm();

}  // namespace tutti::blacs
