// SPDX-License-Identifier: BSD-3-Clause
// What a system handle stands for.
#pragma once

#include <vector>

namespace tutti::blacs {

// World ranks in the order of the handle; ends the job if the number is not a handle.
[[nodiscard]] std::vector<int> system_members(const char* routine, int handle);

}  // namespace tutti::blacs
