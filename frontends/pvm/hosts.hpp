// SPDX-License-Identifier: BSD-3-Clause
// Decides whether pvm_spawn may use the host that a program asks for by name or architecture.
#pragma once

namespace tutti::pvm {

// Returns PvmOk if the flags and the name of pvm_spawn admit a host, PvmNoHost if they admit none,
// or PvmBadParam.
[[nodiscard]] int choose_host(int flag, const char* where);

}  // namespace tutti::pvm
