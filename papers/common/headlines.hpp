// SPDX-License-Identifier: BSD-3-Clause
// The results for which the papers are read, in one table.
#pragma once

#include <vector>

#include "papers/common/exhibit.hpp"
#include "support/table.hpp"

namespace tutti::papers {

// A row for each exhibit that is a headline: one of its rows, with the paper's figure and ours, and
// its state. Throws base::Error if an exhibit has no row of the name that the data give.
[[nodiscard]] tools::Table headlines_of(const std::vector<Exhibit>& exhibits);

}  // namespace tutti::papers
