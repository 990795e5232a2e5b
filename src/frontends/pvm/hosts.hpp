// SPDX-License-Identifier: BSD-3-Clause
// The hosts of the machine, as far as a program asks for one by name or architecture.
#pragma once

namespace tutti::pvm {

// PvmOk when the flags and the name of pvm_spawn allow a host, PvmNoHost when none is meant, or
// PvmBadParam.
[[nodiscard]] int choose_host(int flag, const char* where);

}  // namespace tutti::pvm
