// SPDX-License-Identifier: BSD-3-Clause
// TOP: the algorithm that an operation asks for, and a cache of the plans asked for before.
// transfer.cpp and combine.cpp use it.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>

#include "errors.hpp"
#include "grid.hpp"

namespace tutti::blacs {

// Says what an operator combines: elements, so that a plan may cut vectors, or whole vectors.
enum class Operands : std::uint8_t { elements, vectors };

// A request for a plan. `root` is a rank of the scope, or 0 for an all-reduce.
struct PlanRequest {
  tutti_operation operation;
  char top;
  int root;
  std::int64_t bytes;    // equal on all ranks; used only for TOP = ' '
  bool located = false;  // a combine that tells which processes won
  Operands operands = Operands::elements;
};

// Returns the plan of a request. An unknown TOP ends the job.
[[nodiscard]] tutti_plan plan_for(const RoutineCall& call, Scope& scope, const PlanRequest& wanted);

// Forgets all plans of a grid, because blacs_set may have changed what TOP means.
void forget_plans(Grid& grid);

}  // namespace tutti::blacs
