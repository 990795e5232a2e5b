// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms serve calls whose counts are not known everywhere. Found out from the Program,
// never declared.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::engine {

// Whether every block travels alone and straight between the rank it belongs to and the one that
// knows its size: the root of a gather or scatter; in a complete exchange everybody, of what it
// sends and receives. The same on all ranks.
[[nodiscard]] bool serves_local_counts(const schedule::Generator& generator,
                                       const schedule::Shape& shape, int rank);

}  // namespace tutti::engine
