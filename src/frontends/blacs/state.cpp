// SPDX-License-Identifier: BSD-3-Clause
// The one state object of the BLACS, and joining the job (state.hpp).
#include "state.hpp"

#include <tutti/tutti_runtime.h>

#include "communicators.hpp"
#include "errors.hpp"

namespace tutti::blacs {

BlacsState& state() {
  // Never destroyed, because programs call the BLACS from exit handlers.
  static BlacsState* const only = new BlacsState;
  return *only;
}

void join_early() {
  BlacsState& s = state();
  if (s.joined || s.ended || !s.refusal.empty()) return;
  if (detail::quietly(tutti_init) == TUTTI_OK) {
    s.joined = true;
    s.machine_set = tutti_launched() != 0;
    s.debug_level = tutti_setting("TUTTI_BLACS_DEBUG");
    if (s.debug_level >= 0) return set_up_communicators();
  }
  s.refusal = tutti_error_text();
}

void join(const char* routine) {
  const BlacsState& s = state();
  if (s.ended) fail_outside(routine, "was called after blacs_exit(0)");
  if (s.joined && s.refusal.empty()) [[likely]]
    return;
  join_early();
  if (!s.refusal.empty()) fail_outside(routine, s.refusal);
}

Grid* find_grid(int context) {
  const auto& table = state().contexts;
  if (context < 0 || static_cast<std::size_t>(context) >= table.size()) return nullptr;
  return table[static_cast<std::size_t>(context)].get();
}

}  // namespace tutti::blacs
