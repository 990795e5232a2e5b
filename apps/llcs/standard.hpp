// SPDX-License-Identifier: BSD-3-Clause
// The standard computation of a block of the table by dynamic programming (Krusche's figure 5.3).
#pragma once

#include <cstdint>
#include <span>

namespace llcs {

// Computes the block of x and y row by row. The borders include their corners. `below` has
// x.size() + 1 values: those of the row above the block, which become those of its last row.
// `right` has y.size() + 1 values: those of the column left of the block, which become those of its
// last column.
template <class Code>
void standard_block(std::span<const Code> x, std::span<const Code> y, std::int32_t* right,
                    std::int32_t* below);

}  // namespace llcs
