// SPDX-License-Identifier: BSD-3-Clause
// Groups of processes with supersteps of their own (bsp_group_split and others).
#pragma once

namespace tutti::bsp {

// Splits the current machine; all its processes must call it. Returns the number of the new group,
// or 0 for a negative color.
[[nodiscard]] int split(int color, int key);
// Makes calls of BSPlib mean this group until it is left.
void enter_group(int group);
void leave_group();
// Frees a group; all its members must call it.
void free_group(int group);

// Ends the job if a group is still entered, or has puts, gets or messages that were not delivered.
void check_groups_at_end();

}  // namespace tutti::bsp
