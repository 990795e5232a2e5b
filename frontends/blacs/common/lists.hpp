// SPDX-License-Identifier: BSD-3-Clause
// Scopes of a list of processes (paper 000, 7.1.1).
#pragma once

namespace tutti::blacs {

// Makes a scope of the processes of the grid that `list` names by their numbers, or ends it if
// there are none. The processes in the list call this together.
void map_scope(const char* routine, int context, const char* name, int count, const int* list);

}  // namespace tutti::blacs
