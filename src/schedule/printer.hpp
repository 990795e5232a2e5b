// SPDX-License-Identifier: BSD-3-Clause
// Programs as text: one canonical line per operation, with numbered rounds, so that texts can be
// read, compared and kept as golden files. build() makes one rank's whole Program.
#pragma once

#include <string>
#include <string_view>

#include "schedule/generator.hpp"

namespace tutti::schedule {

std::string_view to_text(Buffer buffer);
std::string to_text(const Blocks& blocks);
std::string to_text(const Ranks& ranks);
std::string to_text(const Op& op);
std::string to_text(const Program& program);
// Returns the name of round t in messages, which count rounds from 1 where generators count from 0:
// "round 2 (t = 1)".
std::string round_name(int t);
// Returns the name of an operation in reports. There 0 is a message outside the collectives, and
// the operations count from 1.
std::string_view name_in_report(std::uint32_t operation);

// Throws Error(no_such_plan) before it takes more memory than room.hpp allows.
Program build(const Generator& generator, const Shape& shape, Rank me);

}  // namespace tutti::schedule
