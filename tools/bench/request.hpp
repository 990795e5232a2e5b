// SPDX-License-Identifier: BSD-3-Clause
// What `tutti bench` is asked to measure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/sizes.hpp"

namespace tutti::tools {

// All names if the list is empty or "all"; other names of an operation are understood. Throws
// base::Error(invalid_argument) that lists the names there are.
[[nodiscard]] std::vector<std::string> bench_operations_named(const std::string& list);

// "8..16M" (steps of eight, the end included), or sizes with commas. Throws
// base::Error(invalid_argument).
[[nodiscard]] std::vector<std::int64_t> bench_sizes(const std::string& text);

struct BenchCell {
  std::string op;
  std::int64_t bytes = 0;  // as the driver takes it: of the block where there are blocks, else of
                           // the vector; no barrier's
  friend auto operator<=>(const BenchCell&, const BenchCell&) = default;
};

struct BenchCells {
  std::vector<BenchCell> cells;
  std::vector<std::string> left_out;  // a sentence each
};
// Every operation with every size, blocks rounded up to whole doubles, without those whose buffers
// need more memory than this machine should give: half of what it has.
[[nodiscard]] BenchCells bench_cells(const std::vector<std::string>& operations, const Sizes& sizes,
                                     int ranks);

// The value of TUTTI_ALGORITHM that makes these operations use `algorithm`, and the operations that
// have it. Throws base::Error(invalid_argument) if none has.
struct Forcing {
  std::string variable;
  std::vector<std::string> operations;
};
[[nodiscard]] Forcing forcing(const std::vector<std::string>& operations,
                              const std::string& algorithm);

// How long the vector of a cell is, and its blocks.
[[nodiscard]] Extent extent_of(const BenchCell& cell, int ranks);
// Bytes of the whole vector.
[[nodiscard]] std::int64_t whole_vector(const std::string& operation, std::int64_t bytes,
                                        int ranks);

}  // namespace tutti::tools
