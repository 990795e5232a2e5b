// SPDX-License-Identifier: BSD-3-Clause
// Schedules for another root than the one of their file: every rank takes the part of the one that
// lies as far behind the file's root.
#pragma once

#include "schedule/program.hpp"

namespace tutti::formats {

// Appends the operations with every rank r in them replaced by (r + turn) mod p.
void append_rotated(schedule::Round& out, const schedule::Round& round, int turn, int p);

// Returns the round with a send to each receiver in place of a send to a set of ranks, as it is for
// another root.
[[nodiscard]] schedule::Round with_single_sends(const schedule::Round& round);

}  // namespace tutti::formats
