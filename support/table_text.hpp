// SPDX-License-Identifier: BSD-3-Clause
// Lays out the lines of a table for a file or a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/screen.hpp"

namespace tutti::tools {

enum class Align { left, right };

struct TextColumn {
  std::string before;  // stands before the column in each line
  Align align;
  std::size_t width;  // the least one
};

// Returns the text of a table whose first line has the heads. `best` has the numbers of the rows
// that are painted, counted from the first line below the heads.
[[nodiscard]] std::string text_of_lines(const std::vector<std::vector<std::string>>& lines,
                                        std::vector<TextColumn> columns,
                                        const std::vector<std::size_t>& best, const Screen& on);

}  // namespace tutti::tools
