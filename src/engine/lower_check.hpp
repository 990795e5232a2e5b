// SPDX-License-Identifier: BSD-3-Clause
// Which memory two lowered operations share. Input and output may be one and the same memory, so
// blocks of those two buffers with equal indices count as shared.
#pragma once

#include "engine/lowered.hpp"

namespace tutti::engine {

// True if `writer` writes exactly what `send` reads, so that it may follow it element by element;
// false if they have nothing in common. Throws Error for anything in between: no order of the two
// would be right without a copy.
[[nodiscard]] bool must_wait_for(const LoweredPlan& plan, const MicroOp& writer,
                                 const MicroOp& send);

// Whether `copy` and an op after it in its round touch different memory, so that they may run in
// any order.
[[nodiscard]] bool is_apart(const LoweredPlan& plan, const MicroOp& copy, const MicroOp& later);

// True if writing the first combined operands would destroy a local operand that is still to come.
[[nodiscard]] bool needs_staging(const LoweredPlan& plan, const MicroOp& op);

}  // namespace tutti::engine
