// SPDX-License-Identifier: BSD-3-Clause
// The Program that is executed in place of the one that a generator emits. It means the same, but
// does no work that nothing needs, and it has the one form that executors have to understand. It is
// a Program like any other, so it is verified and printed too.
#pragma once

#include "schedule/program.hpp"
#include "schedule/verifier.hpp"

namespace tutti::schedule {

// Returns an equal Program in the normal form:
//   - The copies from `input` that begin a Program are forwarded (forward.hpp).
//   - In each round the sends come first, in their order, and the other operations follow in
//     theirs.
//   - In each list of blocks, neighbours with consecutive indices of one buffer are one Block, with
//     times = 1.
// A round that becomes empty stays, so the rounds of all ranks keep their numbers.
[[nodiscard]] Program normalized(Program program);

// The verdict on the normalised Programs of all ranks, by the same rules as `verify` of the
// generator.
[[nodiscard]] Verdict verify_normalized(const Generator& generator, const Shape& shape,
                                        Placement placement = Placement::separate);

}  // namespace tutti::schedule
