// SPDX-License-Identifier: BSD-3-Clause
// blacs_get and blacs_set with their numbered values, WHAT.
#include <climits>

#include "communicators.hpp"
#include "errors.hpp"
#include "grids.hpp"
#include "levels.hpp"
#include "processes.hpp"
#include "topology.hpp"

namespace tutti::blacs {
namespace {

enum What {
  system_context = 0,
  message_ids = 1,
  debug_level = 2,
  context_handle = 10,
  broadcast_rings = 11,
  broadcast_branches = 12,
  combine_rings = 13,
  combine_branches = 14,
  repeatable = 15,
  coherent = 16,
  row_handle = 17,
  column_handle = 18,
  // Another vendor's ScaLAPACK asks for this value and goes on when it is 0.
  unused = 19,
  timing_level = 20
};

// Returns the setting that a WHAT names; nullptr if it names none.
int* setting(BlacsSettings& settings, int what) {
  switch (what) {
    case broadcast_rings:
      return &settings.broadcast_rings;
    case broadcast_branches:
      return &settings.broadcast_branches;
    case combine_rings:
      return &settings.combine_rings;
    case combine_branches:
      return &settings.combine_branches;
    case repeatable:
      return &settings.repeatable;
    case coherent:
      return &settings.coherent;
    default:
      return nullptr;
  }
}

// Returns what is wrong with a value of this context; nullptr if nothing is.
const char* objection(int what, int value) {
  if ((what == broadcast_rings || what == combine_rings) && value == 0)
    return "the number of rings cannot be zero";
  if ((what == broadcast_branches || what == combine_branches) && value < 1)
    return "the number of branches must be positive";
  return nullptr;
}

bool is_fixed(int what) {
  return what == system_context || what == message_ids || what == context_handle ||
         (what >= row_handle && what <= unused);
}

// Returns the scope for whose handle a WHAT asks; nullptr if it asks for none.
Scope* scope_of_handle(Grid& grid, int what) {
  switch (what) {
    case context_handle:
      return &grid.all;
    case row_handle:
      return &grid.row;
    case column_handle:
      return &grid.column;
    default:
      return nullptr;
  }
}

void require_value(const char* routine, const int* value) {
  if (value == nullptr) fail_outside(routine, "argument 'VAL' is NULL");
}

// Sets a level of this process. The context means nothing, as with blacs_get.
void set_level(int what, int value, int most, void (*set)(int)) {
  if (value >= 0 && value <= most) return set(value);
  print_warning(fmt::format("blacs_set: argument 'VAL' is {}, but a level is 0 to {} (WHAT {})",
                            value, most, what));
}

}  // namespace

void get(Language language, int context, int what, int* value) {
  join("blacs_get");
  require_value("blacs_get", value);
  switch (what) {
    case system_context:
      *value = world_handle(language);
      return;
    case message_ids:
      // Users may take any identifier, because the BLACS' own messages have none.
      value[0] = 0;
      value[1] = INT_MAX;
      return;
    case debug_level:
      *value = levels.debug;
      return;
    case timing_level:
      *value = levels.timing;
      return;
    default:
      break;
  }
  const RoutineCall call("blacs_get", context);
  if (what == unused) {
    *value = 0;
  } else if (Scope* scope = scope_of_handle(call.grid(), what)) {
    *value = system_handle_of(call, language, *scope);
  } else if (const int* found = setting(call.grid().settings, what)) {
    *value = *found;
  } else {
    warn(call, "argument 'WHAT' is {}, which is not known", what);
  }
}

void set(int context, int what, const int* value) {
  join("blacs_set");
  require_value("blacs_set", value);
  if (what == debug_level) return set_level(what, *value, most_debug, set_debug_level);
  if (what == timing_level) return set_level(what, *value, most_timing, set_timing_level);
  if (is_fixed(what))
    return print_warning(fmt::format("blacs_set: WHAT = {} can be read but not set", what));
  const RoutineCall call("blacs_set", context);
  int* found = setting(call.grid().settings, what);
  if (found == nullptr) return warn(call, "argument 'WHAT' is {}, which is not known", what);
  if (const char* wrong = objection(what, *value))
    return warn(call, "argument 'VAL' is {}: {}", *value, wrong);
  *found = *value;
  forget_plans(call.grid());
}

}  // namespace tutti::blacs
