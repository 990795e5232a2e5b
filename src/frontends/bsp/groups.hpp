// SPDX-License-Identifier: BSD-3-Clause
// Groups of processes with supersteps of their own.
#pragma once

namespace tutti::bsp {

// Called by all processes of the machine that is entered. The new group's number, 0 for a negative
// color.
[[nodiscard]] int split(int color, int key);
// From here on calls mean that group, until it is left.
void enter_group(int group);
void leave_group();
// Called by its members.
void free_group(int group);

// Ends all if a group is still entered, or has something on its way.
void check_groups_at_end();

}  // namespace tutti::bsp
