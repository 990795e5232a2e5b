// SPDX-License-Identifier: BSD-3-Clause
// Describes what `tutti bench` and `tutti tune` are asked to measure: operations, sizes and
// algorithms.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/sizes.hpp"

namespace tutti::tools {

// Bytes of an element that the benchmark moves and combines.
constexpr std::int64_t bench_element = sizeof(double);

// Returns the driver's names of the listed operations, or of all operations if the list is empty or
// "all". Throws base::Error(invalid_argument) that lists the names there are.
[[nodiscard]] std::vector<std::string> bench_operations_named(const std::string& list);

// Reads a range such as "8..16M", in which each size is eight times the one before it and which
// includes its end, or sizes separated by commas. Throws base::Error(invalid_argument).
[[nodiscard]] std::vector<std::int64_t> bench_sizes(const std::string& text);

struct BenchCell {
  std::string op;
  // Length that the driver takes: one block's if the operation has blocks, else the vector's. A
  // barrier's is 0.
  std::int64_t bytes = 0;
  friend auto operator<=>(const BenchCell&, const BenchCell&) = default;
};

struct BenchCells {
  std::vector<BenchCell> cells;
  std::vector<std::string> left_out;  // one sentence for each
};
// Combines every operation with every size; blocks are rounded up to whole doubles. Leaves out the
// cells whose buffers need more than half of this machine's memory.
[[nodiscard]] BenchCells bench_cells(const std::vector<std::string>& operations, const Sizes& sizes,
                                     int ranks);

// The value of TUTTI_ALGORITHM that makes these operations use `algorithm`, and the operations that
// have it. forcing() throws base::Error(invalid_argument) if none has.
struct Forcing {
  std::string variable;
  std::vector<std::string> operations;
};
[[nodiscard]] Forcing forcing(const std::vector<std::string>& operations,
                              const std::string& algorithm);

// Returns the length of a cell's vector and of its blocks, in bytes.
[[nodiscard]] Extent extent_of(const BenchCell& cell, int ranks);
// Returns the bytes of the whole vector.
[[nodiscard]] std::int64_t whole_vector(const std::string& operation, std::int64_t bytes,
                                        int ranks);

}  // namespace tutti::tools
