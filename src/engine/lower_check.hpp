// SPDX-License-Identifier: BSD-3-Clause
// Tells which memory two lowered operations share; lowering uses it. Input and output may be the
// same memory, so blocks of these two buffers with equal indices count as shared.
#pragma once

#include "engine/lowered.hpp"

namespace tutti::engine {

// Returns true if `writer` must not overtake `send`, because it writes what `send` reads. A receive
// must then write exactly the blocks of the send, so that it can follow it element by element; if
// it overlaps only in part, this throws Error. A copy or combine waits for the whole send.
[[nodiscard]] bool must_wait_for(const LoweredPlan& plan, const MicroOp& writer,
                                 const MicroOp& send);

// Returns true if `copy` and an op after it in its round touch different memory, so that their
// order does not matter.
[[nodiscard]] bool is_apart(const LoweredPlan& plan, const MicroOp& copy, const MicroOp& later);

// Returns true if the combination of the first two operands would overwrite a local operand that
// comes later.
[[nodiscard]] bool needs_staging(const LoweredPlan& plan, const MicroOp& op);

}  // namespace tutti::engine
