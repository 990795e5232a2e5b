// SPDX-License-Identifier: BSD-3-Clause
// Checks of schedules that somebody brings. Readers make those of sizes before they reserve memory
// and those of single operations where they know the line. verdict_of() proves the whole.
#pragma once

#include <string>

#include "formats/schedule.hpp"
#include "schedule/verifier.hpp"

namespace tutti::formats {

// Each returns what is wrong, in a clause that names the limit; empty if nothing is.
[[nodiscard]] std::string problem_of_sizes(const Schedule& header);
[[nodiscard]] std::string problem_of_rounds(std::int64_t rounds, std::int64_t p);
// `total` is the number of blocks that the list names before this block, and becomes the number
// with it.
[[nodiscard]] std::string problem_of_block(const schedule::Block& block, const Schedule& header,
                                           std::int64_t& total);
[[nodiscard]] std::string problem_of_operation(const schedule::Op& op, const Schedule& header,
                                               int rank);

// Returns the verdict on the schedule and on its normal form, separate and, unless the schedule
// says otherwise, in place. The operands' order must be kept unless the schedule says that it is
// for commutative operators only. If the result is wrong in one of them, returns that verdict.
[[nodiscard]] schedule::Verdict verdict_of(const Schedule& schedule);

}  // namespace tutti::formats
