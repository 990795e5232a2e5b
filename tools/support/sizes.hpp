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

// "8,4K,1M", "8..16M" (the end included), or ranges and sizes with commas; sorted. Throws
// base::Error(invalid_argument).
[[nodiscard]] std::vector<std::int64_t> sizes_named(const std::string& text, const SizeRule& rule);

// "8" or "1..64". Nothing if it is neither, negative, or runs backwards.
[[nodiscard]] std::optional<std::pair<int, int>> numbers_named(const std::string& text);
// "8", "1..64", "2,4,8..16", sorted. Nothing if a word is no number or range.
[[nodiscard]] std::optional<std::vector<int>> number_list(const std::string& text);

// What stands between commas, empty words too.
[[nodiscard]] std::vector<std::string> words_of(const std::string& list);

// Whether the vector of the operation consists of p blocks, of which each rank contributes or gets
// one: scatter, gather, allgather, reduce_scatter, alltoall.
[[nodiscard]] bool has_blocks(schedule::Operation operation);

// How long a vector is. This is the only place where blocks become vectors and vectors blocks.
struct Extent {
  std::int64_t bytes = 0;  // of the whole vector, the longest that one rank holds: all blocks of it
  std::int64_t block =
      0;  // of one block, the longest if they differ; without blocks the whole vector
  friend bool operator==(const Extent&, const Extent&) = default;
};

// Sizes as a command line gives them: --bytes are those of vectors, --block-bytes those of blocks.
struct Sizes {
  enum class Of { vector, block };
  Of of = Of::vector;
  std::vector<std::int64_t> values{};

  [[nodiscard]] Extent extent(std::size_t index, schedule::Operation operation, int p) const;
};

// The same number of elements of `element` bytes in each block: where a vector is no multiple of
// that, the next longer one.
[[nodiscard]] Extent equal_blocks(const Extent& extent, schedule::Operation operation, int p,
                                  std::int64_t element);

// "64K", "1000": for tables and pictures.
[[nodiscard]] std::string size_text(std::int64_t bytes);
// "64K bytes, blocks of 4K"; without blocks "64K bytes".
[[nodiscard]] std::string to_text(const Extent& extent);

}  // namespace tutti::tools
