// SPDX-License-Identifier: BSD-3-Clause
// Programs as text: one canonical line for each operation, with rounds counted from 1, so that
// texts can be read, compared and kept as golden files. build() makes the whole Program of one rank
// for those who do not want it round by round.
#pragma once

#include <string>
#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::schedule {

std::string to_text(const Blocks& blocks);
std::string to_text(const Ranks& ranks);
std::string to_text(const Op& op);
std::string to_text(const Program& program);
const char* to_text(Operation operation);
// Names operations as reports do: 0 is a message outside the collectives, and operations count from
// 1.
std::string_view name_in_report(std::uint32_t operation);

Program build(const Generator& generator, const Shape& shape, Rank me);

}  // namespace tutti::schedule
