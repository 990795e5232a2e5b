// SPDX-License-Identifier: BSD-3-Clause
// The normal form of a Program, which the engine executes in place of what a generator emits. It
// means the same, does no work that nothing needs, and has the one form that the engine
// understands. It is a Program like any other, so it is verified and printed too.
#pragma once

#include <vector>

#include "schedule/program.hpp"
#include "schedule/verifier.hpp"

namespace tutti::schedule {

// Returns the normal form of a Program. Copies from `input` that begin the Program are forwarded
// (forward.hpp). In each round the sends come first, in their order, and the other operations
// follow in theirs. In each list of blocks, neighbours with consecutive indices of one buffer are
// one Block, with times = 1. Rounds that are empty now stay, so the rounds of all ranks keep their
// numbers.
[[nodiscard]] Program normalized(Program program);
// Merges neighbouring blocks of the round, as the normal form does.
void merge_blocks(Round& round);

// Returns the normal forms of the Programs of all ranks.
[[nodiscard]] std::vector<Program> normalized_programs(const Generator& generator,
                                                       const Shape& shape);
// Returns the verdict on them, by the rules of `verify` for the generator.
[[nodiscard]] Verdict verify_normalized(const Generator& generator, const Shape& shape,
                                        Placement placement = Placement::separate);

}  // namespace tutti::schedule
