// SPDX-License-Identifier: BSD-3-Clause
// Ranges of blocks as the files of schedules write them: output[2], input[0..3], and
// scratch[0..1] x 4 by 8 for four runs whose first blocks are 8 apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "schedule/program.hpp"

namespace tutti::formats {

[[nodiscard]] std::string block_text(const schedule::Block& block);

// Returns nothing if the text is no range. It may be empty, or have no place in its buffer.
[[nodiscard]] std::optional<schedule::Block> block_named(std::string_view text);

}  // namespace tutti::formats
