// SPDX-License-Identifier: BSD-3-Clause
// Proves what plans execute: the Programs read back from the lowered plans of all ranks of a group.
// Plans use it.
#pragma once

#include <span>
#include <string>

#include "engine/lowered.hpp"

namespace tutti::engine {

// Returns the Program that a rank of a group of `shape.p` executes: it is lowered and read back.
[[nodiscard]] schedule::Program executed_program(const schedule::Program& program,
                                                 const schedule::Buffers& buffers, int rank, int p);

// Returns why `programs`, what all ranks execute, do not give the result of the generator's
// operation, in one of the two placements. Empty if they do.
[[nodiscard]] std::string refutation(const schedule::Generator& generator,
                                     const schedule::Shape& shape,
                                     std::span<const schedule::Program> programs);

}  // namespace tutti::engine
