// SPDX-License-Identifier: BSD-3-Clause
// Draws the rows of an exhibit that have a place on its chart.
#pragma once

#include <vector>

#include "papers/common/printed.hpp"
#include "papers/common/result.hpp"

namespace tutti::papers {

// Makes one chart for each unit: our numbers as curves, the paper's as crosses in the colour of the
// curve. The name of a curve says how far the two lie apart. Numbers that are not positive are left
// out: the papers' plots have none.
[[nodiscard]] std::vector<Chart> charts_of_rows(const Item& item, const Result& result);

}  // namespace tutti::papers
