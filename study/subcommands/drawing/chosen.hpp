// SPDX-License-Identifier: BSD-3-Clause
// Finds the plan to draw where the user names no algorithm: the one that would run.
#pragma once

#include <string>

#include "selection/policy.hpp"
#include "support/call.hpp"
#include "support/sizes.hpp"

namespace tutti::tools {

struct PlanToDraw {
  selection::Forced plan;
  std::string why;  // it was chosen; empty if the user names it
};

// Returns the plan of --algorithm. Without one, returns the library's choice for a call of this
// size on this host, or on --machine the plan that `tutti explain` finds the fastest.
[[nodiscard]] PlanToDraw plan_to_draw(const CallOptions& call, schedule::Operation operation, int p,
                                      const Extent& extent);

// Returns the title of a plan. Throws Error(invalid_argument) if the plan is not defined for the
// shape.
[[nodiscard]] std::string title_of(const PlanToDraw& plan, const schedule::Shape& shape);

}  // namespace tutti::tools
