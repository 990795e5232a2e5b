// SPDX-License-Identifier: BSD-3-Clause
// TOP: which algorithm an operation asks for, and the plans that were asked for before.
#pragma once

#include <tutti/tutti.h>

#include <cstdint>

#include "errors.hpp"
#include "state.hpp"

namespace tutti::blacs {

// root is a rank of the scope, for all-reduce 0.
struct PlanRequest {
  tutti_operation operation;
  char top;
  int root;
  std::int64_t bytes;    // equal on all ranks; only TOP = ' ' looks at it
  bool located = false;  // a combine that tells which processes won
};

// Ends the job for an unknown TOP.
[[nodiscard]] tutti_plan plan_for(const RoutineCall& call, Scope& scope, const PlanRequest& wanted);

// After blacs_set: the next calls ask anew.
void forget_plans(Grid& grid);

}  // namespace tutti::blacs
