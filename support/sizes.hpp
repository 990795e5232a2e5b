// SPDX-License-Identifier: BSD-3-Clause
// Reads lists and ranges of sizes and numbers from command lines. All verbs that take sizes use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/generator.hpp"

namespace tutti::tools {

struct SizeRule {
  const char* option;         // name of the option, for errors
  std::int64_t multiple = 1;  // sizes are multiples of this; 0 is allowed only if this is 1
  std::int64_t factor = 2;    // quotient of neighbouring sizes in a range
};

// Reads sizes and ranges with commas, such as "8,4K,1M" or "8..16M", which includes its end.
// Returns them sorted. Throws base::Error(invalid_argument).
[[nodiscard]] std::vector<std::int64_t> sizes_named(const std::string& text, const SizeRule& rule);

// Reads "8" or "1..64". Returns nothing if the text is neither, negative, or runs backwards.
[[nodiscard]] std::optional<std::pair<int, int>> numbers_named(const std::string& text);
// Reads "8", "1..64" or "2,4,8..16" and returns the numbers sorted, or nothing if a word is no
// number or range.
[[nodiscard]] std::optional<std::vector<int>> number_list(const std::string& text);

// Returns the words between commas, including empty ones.
[[nodiscard]] std::vector<std::string> words_of(const std::string& list);

// The length of a vector. Only its functions convert between block and vector lengths.
struct Extent {
  // Bytes of the whole vector, which is the longest that one rank holds and contains all blocks.
  std::int64_t bytes = 0;
  // Bytes of one block, the longest if they differ. Without blocks, this is the whole vector's
  // length.
  std::int64_t block = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

// Sizes that a command line gives, either of vectors (--bytes) or of blocks (--block-bytes).
struct Sizes {
  enum class Of { vector, block };
  Of of = Of::vector;
  std::vector<std::int64_t> values{};

  [[nodiscard]] Extent extent(std::size_t index, schedule::Operation operation, int p) const;
};

// Makes all blocks equally long, with a whole number of elements of `element` bytes each. A vector
// that does not fit is rounded up to the next length that does.
[[nodiscard]] Extent equal_blocks(const Extent& extent, schedule::Operation operation, int p,
                                  std::int64_t element);

// Returns a text such as "64K" or "1000" for tables and pictures.
[[nodiscard]] std::string size_text(std::int64_t bytes);
// Returns a text such as "64K bytes, blocks of 4K"; without blocks "64K bytes".
[[nodiscard]] std::string to_text(const Extent& extent);

}  // namespace tutti::tools
