// SPDX-License-Identifier: BSD-3-Clause
// Simulates the plans of a call that are the best by their price.
#pragma once

#include <functional>
#include <vector>

#include "simulation/case.hpp"

namespace tutti::tools {

// Returns the name of a plan in lists of times, which also says that a pipeline has one segment
// only.
[[nodiscard]] std::string simulated_name(const selection::Forced& plan);

// Returns the candidate with the settings that have the least price for this size, where the user
// has left them open.
[[nodiscard]] Candidate with_settings(Candidate candidate, const Setting& setting,
                                      const Extent& extent);

// Returns at most so many plans that may serve a call of this setting, the cheapest first. The
// prices are those of `tutti explain` on the setting's machine.
[[nodiscard]] std::vector<Candidate> best_by_price(const Setting& setting, const Extent& extent,
                                                   int most);

// Simulates them in their order and stops each when it is beyond the best so far. Returns the
// fastest first, and those that were stopped at the end, the cheapest first. Calls `next` before
// each simulation.
[[nodiscard]] std::vector<Outcome> simulated_best(
    const std::vector<Candidate>& candidates, Setting setting, const Extent& extent,
    const std::function<void(const Candidate&)>& next);

}  // namespace tutti::tools
