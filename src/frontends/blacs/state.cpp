// SPDX-License-Identifier: BSD-3-Clause
// The one state object of the BLACS, and joining the job at the first call (state.hpp).
#include "state.hpp"

#include <tutti/tutti_runtime.h>

#include "errors.hpp"

namespace tutti::blacs {

BlacsState& state() {
  // Never destroyed, because programs call the BLACS from exit handlers.
  static BlacsState* const only = new BlacsState;
  return *only;
}

void join(const char* routine) {
  BlacsState& s = state();
  if (s.ended) fail_outside(routine, "was called after blacs_exit(0)");
  if (s.joined) return;
  check_outside(routine, tutti_init);
  s.joined = true;
  s.machine_set = tutti_launched() != 0;
  s.debug_level = tutti_setting("TUTTI_BLACS_DEBUG");
  if (s.debug_level < 0) fail_outside(routine, tutti_error_text());
}

Grid* find_grid(int context) {
  const auto& table = state().contexts;
  if (context < 0 || static_cast<std::size_t>(context) >= table.size()) return nullptr;
  return table[static_cast<std::size_t>(context)].get();
}

}  // namespace tutti::blacs
