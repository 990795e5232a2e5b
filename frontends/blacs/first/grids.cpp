// SPDX-License-Identifier: BSD-3-Clause
// Makes the grid, and answers questions about it and about message ids (grids.hpp).
#include "grids.hpp"

#include <tutti/tutti.h>

#include "arguments.hpp"
#include "errors.hpp"
#include "levels.hpp"
#include "processes.hpp"
#include "state.hpp"
#include "topology.hpp"

namespace tutti::blacs {
namespace {

void require_ids(const char* routine, GridShape shape) {
  const IdRanges& ids = state().next_ranges;
  if (enough_ids(ids, shape)) return;
  fail_outside(routine,
               fmt::format("a grid of {} x {} needs {} ids for messages and {} for scoped "
                           "operations, but SHIFT_RANGE gave the ranges {} to {} and {} to {}",
                           shape.rows, shape.columns, std::int64_t{shape.rows} * shape.columns,
                           3 * std::int64_t{shape.rows} * shape.columns, ids.sends.first,
                           ids.sends.last, ids.scoped.first, ids.scoped.last));
}

void take_settings(Grid& grid) {
  const int branches = state().branches;
  grid.settings = {branches, branches, branches, branches};
}

// Replaces this process's grid. Its old one ends, also if it is not in the new one.
void replace_grid(const char* routine, std::vector<int> members, GridShape shape) {
  FirstBlacs& s = state();
  end_grid(routine);
  require_ids(routine, shape);
  s.grid = make_grid(routine, std::move(members), shape);
  if (s.grid == nullptr) return;
  s.ids.emplace(s.next_ranges, *s.grid);
  take_settings(*s.grid);
}

void check_range(const char* least_name, const char* greatest_name, IdRange range) {
  if (range.first >= 0 && range.first <= range.last) return;
  fail_outside(
      "shift_range",
      fmt::format("arguments '{}' and '{}' are {} and {}, but ids are 0 to {}, and a range "
                  "begins with its least one",
                  least_name, greatest_name, range.first, range.last, 0x7fffffff));
}

void set_level(const char* routine, int level, int most, void (*set)(int)) {
  join(routine);
  if (level >= 0 && level <= most) return set(level);
  fail_outside(routine, fmt::format("argument 'LEVEL' is {} but must be 0 to {}", level, most));
}

ScopeKind kind_with_ids(const RoutineCall& call, const Scope& members, char name) {
  if (const auto kind = kind_of(call.grid(), members)) return *kind;
  fail(call,
       "argument 'SCOPE' is {}, a list, but only operations of rows, columns and all have ids",
       quoted(name));
}

}  // namespace

void end_grid(const char* routine) {
  FirstBlacs& s = state();
  if (s.grid == nullptr) return;
  {
    const RoutineCall call(routine, only_context);
    free_groups(call, *s.grid);
  }
  s.grid.reset();
  s.ids.reset();
}

void grid_init(int rows, int columns) {
  constexpr const char* routine = "blacsinit";
  join(routine);
  const GridShape shape{rows, columns};
  replace_grid(routine, first_members(routine, all_numbers(), shape, Numbering::by_rows), shape);
}

void grid_map(const int* usermap, int ldumap, int rows, int columns) {
  constexpr const char* routine = "gridmap";
  join(routine);
  const GridShape shape{rows, columns};
  replace_grid(routine, mapped_members(routine, all_numbers(), shape, {usermap, ldumap}), shape);
}

void grid_info(int* rows, int* columns, int* my_row, int* my_column) {
  tell_grid(state().grid.get(), rows, columns, my_row, my_column);
}

int number_of(int row, int column) {
  const RoutineCall call("kpnum", only_context);
  const Grid& grid = call.grid();
  const bool inside = row >= 0 && row < grid.rows && column >= 0 && column < grid.columns;
  return inside ? number_at(grid, row * grid.columns + column) : -1;
}

void coordinates_of(int number, int* row, int* column) {
  const RoutineCall call("pcoord", only_context);
  const Grid& grid = call.grid();
  const int place = place_of_number(grid, number);
  *row = place >= 0 ? place / grid.columns : -1;
  *column = place >= 0 ? place % grid.columns : -1;
}

void set_branches(int branches) {
  constexpr const char* routine = "setbranches";
  if (branches < 1)
    fail_outside(routine, fmt::format("argument 'BRANCHES' is {} but must be 1 or more", branches));
  state().branches = branches;
  if (state().grid == nullptr) return;
  take_settings(*state().grid);
  forget_plans(*state().grid);
}

void set_debug(int level) {
  set_level("blacsdebug", level, most_debug, set_debug_level);
}

void set_timing(int level) {
  set_level("blacstiming", level, most_timing, set_timing_level);
}

void shift_range(IdRange sends, IdRange scoped) {
  check_range("MINSND", "MAXSND", sends);
  check_range("MINBS", "MAXBS", scoped);
  if (sends.first <= scoped.last && scoped.first <= sends.last) {
    fail_outside("shift_range", fmt::format("the ranges of ids {} to {} and {} to {} overlap",
                                            sends.first, sends.last, scoped.first, scoped.last));
  }
  state().next_ranges = {sends, scoped};
}

IdRanges id_ranges() {
  const FirstBlacs& s = state();
  return s.ids ? s.ids->ranges() : s.next_ranges;
}

int take_send_id(Coordinates source, Coordinates destination) {
  const RoutineCall call("ksendid", only_context);
  Grid& grid = call.grid();
  const int from = rank_in(call, grid.all, {source.row, source.column, "RSRC", "CSRC"});
  const int to = rank_in(call, grid.all, {destination.row, destination.column, "RDEST", "CDEST"});
  if (from != grid.all.rank) {
    fail(call, "arguments 'RSRC' and 'CSRC' are {} and {}, but only the source knows its next id",
         source.row, source.column);
  }
  return state().ids->next_send(to);
}

int take_receive_id(Coordinates source) {
  const RoutineCall call("krecvid", only_context);
  return state().ids->next_receive(
      rank_in(call, call.grid().all, {source.row, source.column, "RSRC", "CSRC"}));
}

int take_broadcast_send_id(const char* scope) {
  const RoutineCall call("kbsid", only_context);
  const Scope& members = scope_of(call, scope);
  return state().ids->next_scoped(kind_with_ids(call, members, *scope), members.rank);
}

int take_broadcast_receive_id(const char* scope, Coordinates source) {
  const RoutineCall call("kbrid", only_context);
  const Scope& members = scope_of(call, scope);
  const int from = rank_in(call, members, {source.row, source.column, "RSRC", "CSRC"});
  return state().ids->next_scoped(kind_with_ids(call, members, *scope), from);
}

}  // namespace tutti::blacs
