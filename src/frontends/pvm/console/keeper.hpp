// SPDX-License-Identifier: BSD-3-Clause
// How a console tells the keeper of its machine to end it.
#pragma once

namespace tutti::pvm::console {

// False when the machine has no keeper, or it has ended.
bool ask_keeper_to_halt();
// Its identifier; 0 when the machine has none, because a program has made it.
[[nodiscard]] int keeper();

}  // namespace tutti::pvm::console
