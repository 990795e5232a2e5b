// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms serve calls whose counts are not known everywhere. Found out from the Program,
// never declared.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::engine {

// A store of one operation in the cells of `rank`: the sum of its sources.
[[nodiscard]] bool serves_local_counts(const schedule::Generator& generator,
                                       const schedule::Shape& shape, int rank);

}  // namespace tutti::engine
