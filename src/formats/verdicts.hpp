// SPDX-License-Identifier: BSD-3-Clause
// The schedules that were found right, remembered in a folder of the user: an empty file each,
// whose name is a hash of the schedule, of what its file claims, and of the version of tutti. The
// hash is a strong one, so that no other schedule can be made that passes for a proved one.
#pragma once

#include <string>

#include "formats/program_file.hpp"

namespace tutti::formats {

[[nodiscard]] std::string verdict_key(const ProgramFile& file);
// Returns false where nothing can be remembered, or where other users could have written it.
[[nodiscard]] bool is_known_right(const std::string& key);
// Does nothing if there is no such folder and none can be made.
void remember_right(const std::string& key);

}  // namespace tutti::formats
