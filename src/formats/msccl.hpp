// SPDX-License-Identifier: BSD-3-Clause
// The XML of MSCCL: a program of thread blocks for each GPU. A GPU is a rank, a chunk a block.
#pragma once

#include <string>
#include <string_view>

#include "formats/program_file.hpp"

namespace tutti::formats {

// Reads a file of MSCCL as a schedule of rounds. A step goes into the first round after all that it
// waits for, so the timing of thread blocks is not kept. Throws Error(invalid_argument) that names
// file, line and what cannot be read: a collective that tutti does not have, steps that wait in a
// circle, or two that use one chunk in no order. Attributes that tutti does not know change nothing
// that the GPUs do, as far as it can tell: they are noted and passed over. Nobody has proved the
// schedule yet (check.hpp).
[[nodiscard]] ProgramFile read_msccl(std::string_view text, std::string_view file);

// Returns the schedule as a program of MSCCL: a thread block for each peer and direction, and one
// for local work. Sums are not kept in the order of the ranks, and all parts of the vector have one
// size. Throws Error(invalid_argument) that names what MSCCL cannot say.
[[nodiscard]] std::string msccl_text(const Schedule& schedule);

}  // namespace tutti::formats
