// SPDX-License-Identifier: BSD-3-Clause
// Gives grids their contexts, and ends them (grids.hpp). Without MPI nothing is communicated.
#include "grids.hpp"

#include "arguments.hpp"
#include "communicators.hpp"
#include "errors.hpp"
#include "processes.hpp"
#include "state.hpp"

namespace tutti::blacs {
namespace {

constexpr int no_context = -1;

int lowest_free_context() {
  BlacsState& s = state();
  if (s.free_contexts.empty()) {
    s.contexts.emplace_back();
    return static_cast<int>(s.contexts.size()) - 1;
  }
  return s.free_contexts.extract(s.free_contexts.begin()).value();
}

// Gives a new grid a context; no context in a process that is not in the grid.
int context_of(const char* routine, std::unique_ptr<Grid> grid) {
  if (grid == nullptr) return no_context;
  offer_communicator(routine, grid->all);
  const int context = lowest_free_context();
  state().contexts[static_cast<std::size_t>(context)] = std::move(grid);
  return context;
}

void free_scopes(const RoutineCall& call) {
  Grid& grid = call.grid();
  for (Scope* scope : {&grid.row, &grid.column, &grid.all}) {
    free_communicator(*scope);
    if (scope->system_place >= 0) drop_system(scope->system_place);
  }
  free_groups(call, grid);
}

}  // namespace

void grid_init(Language language, int* context, const char* order, int rows, int columns) {
  constexpr const char* routine = "blacs_gridinit";
  join(routine);
  const Numbering numbering = lower(*order) == 'c' ? Numbering::by_columns : Numbering::by_rows;
  std::vector<int> members = first_members(routine, system_members(routine, language, *context),
                                           {rows, columns}, numbering);
  *context = context_of(routine, make_grid(routine, std::move(members), {rows, columns}));
}

void grid_map(Language language, int* context, const int* usermap, int ldumap, int rows,
              int columns) {
  constexpr const char* routine = "blacs_gridmap";
  join(routine);
  std::vector<int> members = mapped_members(routine, system_members(routine, language, *context),
                                            {rows, columns}, {usermap, ldumap});
  *context = context_of(routine, make_grid(routine, std::move(members), {rows, columns}));
}

void grid_info(int context, int* rows, int* columns, int* my_row, int* my_column) {
  tell_grid(find_grid(context), rows, columns, my_row, my_column);
}

void grid_exit(int context) {
  const RoutineCall call("blacs_gridexit", context);
  free_scopes(call);
  state().contexts[static_cast<std::size_t>(context)].reset();
  state().free_contexts.insert(context);
}

int number_of(int context, int row, int column) {
  const RoutineCall call("blacs_pnum", context);
  const Grid& grid = call.grid();
  const bool inside = row >= 0 && row < grid.rows && column >= 0 && column < grid.columns;
  return inside ? row * grid.columns + column : -1;
}

void coordinates_of(int context, int number, int* row, int* column) {
  const RoutineCall call("blacs_pcoord", context);
  const Grid& grid = call.grid();
  const int place = place_of_number(grid, number);
  *row = place >= 0 ? place / grid.columns : -1;
  *column = place >= 0 ? place % grid.columns : -1;
}

}  // namespace tutti::blacs
