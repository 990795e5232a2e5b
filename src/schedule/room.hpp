// SPDX-License-Identifier: BSD-3-Clause
// The limits of what one rank's schedule takes in memory. They are constants and no share of the
// machine's memory, because all ranks, on all hosts, have to accept or refuse a schedule alike.
#pragma once

#include <cstddef>
#include <cstdint>

#include "schedule/generator.hpp"

namespace tutti::schedule {

// The largest value of a number that a user gives, such as segments. It lets no sum of a few of
// them exceed an Int.
constexpr int largest_setting = 1 << 20;
// Rounds of a rank, as of a schedule from a file.
constexpr std::int64_t most_rounds = std::int64_t{1} << 20;
// Bytes of a rank's Program. A process takes about twice as much while it makes a plan, so ten
// ranks of one host fit into 3 GB. Pipelines are fastest with some thousand segments, which take 1
// MB.
constexpr std::size_t most_program_bytes = std::size_t{1} << 27;

// Throws Error(no_such_plan) if the shape has more rounds than the limit.
void require_room_for_rounds(const Generator& generator, const Shape& shape);
// Returns the bytes that a round takes.
[[nodiscard]] std::size_t bytes_of(const Round& round);
// Throws Error(no_such_plan), which says that the Program of the shape exceeds its limit.
[[noreturn]] void refuse_size(const Generator& generator, const Shape& shape);

}  // namespace tutti::schedule
