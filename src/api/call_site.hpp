// SPDX-License-Identifier: BSD-3-Clause
// Where in the user's program a call of tutti comes from.
#pragma once

#include <cstdint>
#include <string>

namespace tutti::api {

// The innermost return address on this thread's stack that is not in one of tutti's own libraries;
// 0 if there is none.
[[nodiscard]] std::uintptr_t calling_address();

// "solve+0x5f (prog+0x1a5f)": function, and object with the address that `addr2line -e prog` takes.
// Of what is not known the rest.
[[nodiscard]] std::string place_of(std::uintptr_t address);
// "solve.c:12", or nothing where the program has no line numbers or addr2line is not installed.
// Starts a process.
[[nodiscard]] std::string line_of(std::uintptr_t address);

}  // namespace tutti::api
