// SPDX-License-Identifier: BSD-3-Clause
// What is executed in place of the Program that a generator emits: equal in meaning, without work
// that nothing needs and in the one form that executors have to understand. It is a Program like
// any other, so it is verified and printed too.
#pragma once

#include "schedule/program.hpp"
#include "schedule/verifier.hpp"

namespace tutti::schedule {

// - the copies from `input` that begin a Program are forwarded (forward.hpp);
// - in each round the sends come first, in their order, and the other operations follow in theirs;
// - in each list of blocks, neighbours with consecutive indices of one buffer are one Block, with
// times = 1. Rounds stay, those that are empty now too, so the rounds of all ranks keep their
// numbers.
[[nodiscard]] Program normalized(Program program);

// The verdict on the normalised Programs of all ranks, by the same rules as `verify` of the
// generator.
[[nodiscard]] Verdict verify_normalized(const Generator& generator, const Shape& shape,
                                        Placement placement = Placement::separate);

}  // namespace tutti::schedule
