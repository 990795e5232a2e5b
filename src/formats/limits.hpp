// SPDX-License-Identifier: BSD-3-Clause
// The limits of a schedule from a file. Readers check them before they reserve memory, so that no
// file makes them reserve more than some hundred megabytes. Limits of one format stand in its
// reader.
#pragma once

#include <cstdint>

#include "schedule/room.hpp"
#include "schedule/verifier.hpp"

namespace tutti::formats {

constexpr std::int64_t most_file_bytes = std::int64_t{64} << 20;
constexpr int most_ranks = 4096;
using schedule::most_rounds;
// Rounds times ranks. Each rank has every round, even if it does nothing in it.
constexpr std::int64_t most_rounds_of_ranks = std::int64_t{1} << 24;
// Operations of all ranks. Blocks of the input, output and scratch of all ranks have this limit
// too, and parts times ranks.
constexpr std::int64_t most_operations = std::int64_t{1} << 26;
constexpr std::int64_t most_blocks = std::int64_t{1} << 26;
// Blocks that are kept once more for each further receiver in a list.
constexpr std::int64_t most_repeated_blocks = std::int64_t{1} << 22;
constexpr std::int64_t most_bytes_of_element = std::int64_t{1} << 30;
constexpr std::int64_t most_bytes_of_message = std::int64_t{1} << 58;
constexpr std::size_t most_text = 1000;  // bytes of a name or a note
// The verifier works for some seconds at most.
constexpr schedule::Limits most_work{std::int64_t{1} << 30, std::int64_t{1} << 24};

}  // namespace tutti::formats
