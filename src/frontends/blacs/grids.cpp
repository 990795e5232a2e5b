// SPDX-License-Identifier: BSD-3-Clause
// Makes and ends grids (grids.hpp). Without MPI nothing is communicated, because a group is named
// by its members.
#include "grids.hpp"

#include <algorithm>

#include "arguments.hpp"
#include "communicators.hpp"
#include "errors.hpp"

namespace tutti::blacs {
namespace {

constexpr int no_context = -1;

void check_shape(const char* routine, int rows, int columns, std::size_t available) {
  const std::int64_t wanted = std::int64_t{rows} * columns;
  if (rows >= 1 && columns >= 1 && wanted <= static_cast<std::int64_t>(available)) return;
  fail_outside(
      routine,
      fmt::format(
          "arguments 'NPROW' and 'NPCOL' ask for a grid of {} x {}, but there are {} processes",
          rows, columns, available));
}

// Makes the scope of `ranks`. A scope as long as the whole grid shares its group.
void fill_scope(const char* routine, Scope& scope, std::vector<int> ranks, int my_rank,
                const Scope* whole) {
  scope.rank = my_rank;
  scope.size = static_cast<int>(ranks.size());
  if (whole != nullptr && whole->size == scope.size) {
    scope.group = whole->group;
    return;
  }
  check_outside(routine, tutti_group_create, tutti_world(), scope.size, ranks.data(), &scope.group);
  scope.members = std::move(ranks);
}

std::unique_ptr<Grid> build_grid(const char* routine, std::vector<int> members, int rows,
                                 int columns, int my_rank) {
  auto grid = std::make_unique<Grid>();
  grid->rows = rows;
  grid->columns = columns;
  grid->my_row = my_rank / columns;
  grid->my_column = my_rank % columns;
  std::vector<int> row_ranks, column_ranks;
  for (int j = 0; j < columns; ++j)
    row_ranks.push_back(members[static_cast<std::size_t>(grid->my_row * columns + j)]);
  for (int i = 0; i < rows; ++i)
    column_ranks.push_back(members[static_cast<std::size_t>(i * columns + grid->my_column)]);
  fill_scope(routine, grid->all, std::move(members), my_rank, nullptr);
  fill_scope(routine, grid->row, std::move(row_ranks), grid->my_column, &grid->all);
  fill_scope(routine, grid->column, std::move(column_ranks), grid->my_row, &grid->all);
  offer_communicator(routine, grid->all);
  return grid;
}

int lowest_free_context() {
  BlacsState& s = state();
  if (s.free_contexts.empty()) {
    s.contexts.emplace_back();
    return static_cast<int>(s.contexts.size()) - 1;
  }
  return s.free_contexts.extract(s.free_contexts.begin()).value();
}

// Makes a grid of `members`, which are world ranks row by row.
int make_grid(const char* routine, std::vector<int> members, int rows, int columns) {
  std::vector<int> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    fail_outside(routine, fmt::format("process {} appears twice in the grid", *twice));
  const auto mine = std::find(members.begin(), members.end(), tutti_rank(tutti_world()));
  if (mine == members.end()) return no_context;
  const int my_rank = static_cast<int>(mine - members.begin());
  auto grid = build_grid(routine, std::move(members), rows, columns, my_rank);
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
  const auto owned = [&](const Scope& scope) { return scope.group.id != grid.all.group.id; };
  for (Scope* scope : {&grid.row, &grid.column}) {
    if (owned(*scope)) check(call, tutti_group_free(scope->group));
  }
  check(call, tutti_group_free(grid.all.group));
}

}  // namespace

void grid_init(Language language, int* context, const char* order, int rows, int columns) {
  constexpr const char* routine = "blacs_gridinit";
  join(routine);
  const std::vector<int> system = system_members(routine, language, *context);
  check_shape(routine, rows, columns, system.size());
  const bool by_columns = lower(*order) == 'c';
  std::vector<int> members;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      members.push_back(
          system[static_cast<std::size_t>(by_columns ? j * rows + i : i * columns + j)]);
    }
  }
  *context = make_grid(routine, std::move(members), rows, columns);
}

void grid_map(Language language, int* context, const int* usermap, int ldumap, int rows,
              int columns) {
  constexpr const char* routine = "blacs_gridmap";
  join(routine);
  const std::vector<int> system = system_members(routine, language, *context);
  check_shape(routine, rows, columns, system.size());
  const std::int64_t ld = std::max(ldumap, rows);
  std::vector<int> members;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      const int number = usermap[i + j * ld];
      if (number < 0 || static_cast<std::size_t>(number) >= system.size()) {
        fail_outside(
            routine,
            fmt::format("argument 'USERMAP'({},{}) is {}, but processes are numbered 0 to {}",
                        i + 1, j + 1, number, system.size() - 1));
      }
      members.push_back(system[static_cast<std::size_t>(number)]);
    }
  }
  *context = make_grid(routine, std::move(members), rows, columns);
}

void grid_info(int context, int* rows, int* columns, int* my_row, int* my_column) {
  const Grid* grid = find_grid(context);
  *rows = grid != nullptr ? grid->rows : -1;
  *columns = grid != nullptr ? grid->columns : -1;
  *my_row = grid != nullptr ? grid->my_row : -1;
  *my_column = grid != nullptr ? grid->my_column : -1;
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
  const bool inside = number >= 0 && number < grid.all.size;
  *row = inside ? number / grid.columns : -1;
  *column = inside ? number % grid.columns : -1;
}

}  // namespace tutti::blacs
