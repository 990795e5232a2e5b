// SPDX-License-Identifier: BSD-3-Clause
// Which processors each rank is bound to.
#pragma once

#include <vector>

namespace tutti::tools {

// Rank r gets all hardware threads, that this process may use, of core r modulo the number of cores.
[[nodiscard]] std::vector<std::vector<int>> bind_to_cores(int ranks);

}  // namespace tutti::tools
