// SPDX-License-Identifier: BSD-3-Clause
// Lists and ranges of sizes and numbers as command lines name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::tools {

struct SizeRule {
  const char* option;         // what errors call the text
  std::int64_t multiple = 1;  // of what sizes must be; 0 is allowed where this is 1
  std::int64_t factor = 2;    // from one size of a range to the next
};

// "8,4K,1M", "8..16M" (the end included), or ranges and sizes with commas; sorted. Throws base::Error(invalid_argument).
[[nodiscard]] std::vector<std::int64_t> sizes_named(const std::string& text, const SizeRule& rule);

// "8" or "1..64". Nothing if it is neither, negative, or runs backwards.
[[nodiscard]] std::optional<std::pair<int, int>> numbers_named(const std::string& text);

// What stands between commas, empty words too.
[[nodiscard]] std::vector<std::string> words_of(const std::string& list);

// Whether a size given for the operation is what one rank contributes for, or gets from, one other, and not the whole
// vector: then that is p times as large.
[[nodiscard]] bool sized_by_part(schedule::Operation operation);

}  // namespace tutti::tools
