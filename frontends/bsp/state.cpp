// SPDX-License-Identifier: BSD-3-Clause
// The one state object of BSPlib (state.hpp).
#include "state.hpp"

#include "errors.hpp"

namespace tutti::bsp {

BspMachine* current = nullptr;

BspState& state() {
  // Never destroyed, because programs call BSPlib from exit handlers.
  static BspState* const only = new BspState;
  return *only;
}

void reject_call(const char* routine) {
  if (state().phase == LifePhase::before)
    static_cast<void>(detail::quietly(tutti_init));  // a process that belongs to a job then ends it
  fail(routine, "was called {}",
       state().phase == LifePhase::before ? "before bsp_begin" : "after bsp_end");
}

}  // namespace tutti::bsp
