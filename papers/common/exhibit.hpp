// SPDX-License-Identifier: BSD-3-Clause
// A table, figure or statement with its rows and the state that follows from them.
#pragma once

#include <vector>

#include "papers/common/printed.hpp"
#include "papers/common/result.hpp"
#include "papers/common/verdict.hpp"

namespace tutti::papers {

struct Exhibit {
  const Item* item = nullptr;
  Result result;
  Verdict verdict;
};

// Computed figures are the same in every run of the command. Measurements take time.
enum class Extent { computed, measured_too };

// Throws base::Error if a run shows nothing, for example because it could not measure.
[[nodiscard]] Exhibit exhibit_of(const Item& item, Extent extent);

// Checks that each run has an item, and that the state of each item either follows from a run's
// rows or is declared.
void check_items();

}  // namespace tutti::papers
