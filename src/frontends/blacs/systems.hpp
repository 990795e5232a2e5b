// SPDX-License-Identifier: BSD-3-Clause
// What a system handle stands for. The C and the Fortran interface number them each in its own way.
#pragma once

#include <vector>

namespace tutti::blacs {

enum class Language { c, fortran };

// World ranks in the order of the handle; ends the job if the number is not a handle.
[[nodiscard]] std::vector<int> system_members(const char* routine, Language language, int handle);

// Handle of exactly this grid's processes; the same one until it is freed or the grid exits.
[[nodiscard]] int system_handle_of(int context, Language language);
void free_system_handle(Language language, int handle);
// Place of these processes in the table of State, which they join.
[[nodiscard]] int add_system(std::vector<int> members);
// nullptr: no such place.
[[nodiscard]] const std::vector<int>* find_system(int place);
// When a grid ends.
void drop_system(int place);

}  // namespace tutti::blacs
