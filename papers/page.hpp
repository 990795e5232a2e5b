// SPDX-License-Identifier: BSD-3-Clause
// The page of docs/papers about a paper: all items with their states, then the results of those
// that are reproduced.
#pragma once

#include <string>

#include "papers/printed.hpp"

namespace tutti::papers {

// Computes everything that stands on it, all of which is the same in every run.
[[nodiscard]] std::string page_of(const Paper& paper);

}  // namespace tutti::papers
