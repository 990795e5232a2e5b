// SPDX-License-Identifier: BSD-3-Clause
// The console of a machine, which `tutti pvm` starts. It is a task like any other: it shows the
// hosts and tasks and obeys commands.
#pragma once

#include <string>
#include <vector>

namespace tutti::pvm::console {

using Words = std::vector<std::string>;

// Runs one command; --json as its first argument asks for JSON. Returns 0, 1 if it failed, or 2 if
// it was not understood.
int obey(Words words);
// Runs commands from stdin until quit, halt or the end of stdin.
int converse();
// Runs the keeper, which holds the machine until it is halted, even without other tasks.
int keep();
// Returns false if the machine has no keeper, or if the keeper has ended.
bool ask_keeper_to_halt();
// Returns the keeper's identifier, or 0 if a program has made the machine and it has no keeper.
[[nodiscard]] int keeper();

}  // namespace tutti::pvm::console
