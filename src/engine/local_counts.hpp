// SPDX-License-Identifier: BSD-3-Clause
// Finds the algorithms that serve calls whose counts not every rank knows. The answer comes from
// the Program, so that no algorithm has to declare it. Plans use it.
#pragma once

#include "schedule/generator.hpp"

namespace tutti::engine {

// Returns true if each block is one message between its owner and the rank that knows its length.
// In a gather or scatter the root knows all lengths; in a complete exchange every rank knows those
// of what it sends and receives. The result is equal on all ranks.
[[nodiscard]] bool serves_local_counts(const schedule::Generator& generator,
                                       const schedule::Shape& shape, int rank);

}  // namespace tutti::engine
