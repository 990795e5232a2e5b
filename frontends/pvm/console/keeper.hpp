// SPDX-License-Identifier: BSD-3-Clause
// The side of a console that talks to the keeper of its machine.
#pragma once

namespace tutti::pvm::console {

// Returns false if the machine has no keeper, or if the keeper has ended.
bool ask_keeper_to_halt();
// Returns the keeper's identifier, or 0 if a program has made the machine and it has no keeper.
[[nodiscard]] int keeper();

}  // namespace tutti::pvm::console
