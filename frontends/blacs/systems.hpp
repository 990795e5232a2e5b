// SPDX-License-Identifier: BSD-3-Clause
// The table of system handles: lists of processes. The C and the Fortran interface number them
// differently (communicators.hpp).
#pragma once

#include <vector>

#include "errors.hpp"

namespace tutti::blacs {

enum class Language { c, fortran };

// Returns the world ranks in the order of the handle. A number that is no handle ends the job.
[[nodiscard]] std::vector<int> system_members(const char* routine, Language language, int handle);

// Returns the handle of exactly the processes of a scope of the call's grid. It stays the same
// until it is freed or the grid exits.
[[nodiscard]] int system_handle_of(const RoutineCall& call, Language language, Scope& scope);
// Returns the scope that has its handle at this place; nullptr if none has.
[[nodiscard]] Scope* scope_at(int place);
void free_system_handle(Language language, int handle);
// Adds these processes to the table of BlacsState and returns their place.
[[nodiscard]] int add_system(std::vector<int> members);
// Returns nullptr if there is no such place.
[[nodiscard]] const std::vector<int>* find_system(int place);
// Removes a place from the table when its grid ends or its handle is freed.
void drop_system(int place);

}  // namespace tutti::blacs
