// SPDX-License-Identifier: BSD-3-Clause
// Counts exhibits by paper and state, and their rows.
#pragma once

#include <string>
#include <vector>

#include "papers/common/exhibit.hpp"
#include "support/table.hpp"

namespace tutti::papers {

// A row for each paper, one for all of them, and one for the exhibits that were added to the first
// 217. `measured`, the exhibits about times, and the rows that agree, of those that have two sides,
// stand beside the states.
[[nodiscard]] tools::Table counts_of(const std::vector<Exhibit>& exhibits);

// Returns text such as "43 agrees, 14 partly, 1 open; 157 of 177 rows with two sides agree".
[[nodiscard]] std::string summary_of(const std::vector<Exhibit>& exhibits);

}  // namespace tutti::papers
