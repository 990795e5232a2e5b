// SPDX-License-Identifier: BSD-3-Clause
// Start and end of a BSPlib program, and the calls that ask for processes and time.
#pragma once

namespace tutti::bsp {

void init(void (*spmd)());
void begin(int processes);
void end();
[[noreturn]] void abort_all(const char* text);
[[nodiscard]] int count_of_processes();
[[nodiscard]] int own_number();
[[nodiscard]] double seconds_since_begin();
// Returns the seconds since this was called before, and at first since bsp_begin.
[[nodiscard]] double seconds_since_last_call();

}  // namespace tutti::bsp
