// SPDX-License-Identifier: BSD-3-Clause
// TOP: the algorithm that an operation asks for, and a cache of the plans asked for before.
// transfer.cpp and combine.cpp use it.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>

#include "errors.hpp"
#include "grid.hpp"

namespace tutti::blacs {

// Kinds of combines that need plans of their own. A broadcast is plain, as a sum is. `located`
// tells which processes won, and the functions of `by_user` take whole vectors.
enum class Kind : std::uint8_t { plain, magnitude, located, by_user };

// A request for a plan. `root` is a rank of the scope, or 0 for an all-reduce.
struct PlanRequest {
  tutti_operation operation;
  char top;
  int root;
  std::int64_t bytes;  // equal on all ranks; used only for TOP = ' '
  Kind kind = Kind::plain;
};

// Returns the plan of a request. An unknown TOP ends the job.
[[nodiscard]] tutti_plan plan_for(const RoutineCall& call, Scope& scope, const PlanRequest& wanted);

// Forgets all plans of a grid, because blacs_set may have changed what TOP means.
void forget_plans(Grid& grid);

}  // namespace tutti::blacs
