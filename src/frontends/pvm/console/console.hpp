// SPDX-License-Identifier: BSD-3-Clause
// The console of a machine: a task of it, like any other, that shows what there is and does what it
// is told.
#pragma once

#include <string>
#include <vector>

namespace tutti::pvm::console {

using Words = std::vector<std::string>;

// One command and its arguments; --json as the first of them asks for JSON. 0, 1 when it failed, 2
// when it was not understood.
int obey(Words words);
// Commands from stdin, until quit, halt or its end.
int converse();
// Stays in the machine until it is halted: its process for as long as it has no other.
int keep();
// Until somebody does that.
int wait_for_keeper();

}  // namespace tutti::pvm::console
