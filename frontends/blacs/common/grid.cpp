// SPDX-License-Identifier: BSD-3-Clause
// Makes grids and frees their groups (grid.hpp).
#include "grid.hpp"

#include <algorithm>

#include "errors.hpp"
#include "processes.hpp"

namespace tutti::blacs {
namespace {

void check_shape(const char* routine, GridShape shape, std::size_t available) {
  const std::int64_t wanted = std::int64_t{shape.rows} * shape.columns;
  if (shape.rows >= 1 && shape.columns >= 1 && wanted <= static_cast<std::int64_t>(available))
    return;
  fail_outside(
      routine,
      fmt::format(
          "arguments 'NPROW' and 'NPCOL' ask for a grid of {} x {}, but there are {} processes",
          shape.rows, shape.columns, available));
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
  check_outside(routine, tutti_group_create, processes(), scope.size, ranks.data(), &scope.group);
  scope.members = std::move(ranks);
}

void fill_scopes(const char* routine, Grid& grid, std::vector<int> members) {
  std::vector<int> row_ranks, column_ranks;
  for (int j = 0; j < grid.columns; ++j)
    row_ranks.push_back(members[static_cast<std::size_t>(grid.my_row * grid.columns + j)]);
  for (int i = 0; i < grid.rows; ++i)
    column_ranks.push_back(members[static_cast<std::size_t>(i * grid.columns + grid.my_column)]);
  const int my_rank = grid.my_row * grid.columns + grid.my_column;
  fill_scope(routine, grid.all, std::move(members), my_rank, nullptr);
  fill_scope(routine, grid.row, std::move(row_ranks), grid.my_column, &grid.all);
  fill_scope(routine, grid.column, std::move(column_ranks), grid.my_row, &grid.all);
}

}  // namespace

std::vector<int> first_members(const char* routine, const std::vector<int>& system, GridShape shape,
                               Numbering numbering) {
  check_shape(routine, shape, system.size());
  std::vector<int> members;
  for (int i = 0; i < shape.rows; ++i) {
    for (int j = 0; j < shape.columns; ++j) {
      const int place =
          numbering == Numbering::by_columns ? j * shape.rows + i : i * shape.columns + j;
      members.push_back(system[static_cast<std::size_t>(place)]);
    }
  }
  return members;
}

std::vector<int> mapped_members(const char* routine, const std::vector<int>& system,
                                GridShape shape, const UserMap& map) {
  check_shape(routine, shape, system.size());
  // Columns that overlap would have processes twice; with one column LDUMAP means nothing.
  if (shape.columns > 1 && map.ld < shape.rows) {
    fail_outside(routine,
                 fmt::format("argument 'LDUMAP' is {} but must be at least NPROW, which is {}",
                             map.ld, shape.rows));
  }
  const std::int64_t ld = map.ld;
  std::vector<int> members;
  for (int i = 0; i < shape.rows; ++i) {
    for (int j = 0; j < shape.columns; ++j) {
      const int number = map.place[i + j * ld];
      if (number < 0 || static_cast<std::size_t>(number) >= system.size()) {
        fail_outside(
            routine,
            fmt::format("argument 'USERMAP'({},{}) is {}, but processes are numbered 0 to {}",
                        i + 1, j + 1, number, system.size() - 1));
      }
      members.push_back(system[static_cast<std::size_t>(number)]);
    }
  }
  return members;
}

std::unique_ptr<Grid> make_grid(const char* routine, std::vector<int> members, GridShape shape) {
  std::vector<int> sorted = members;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    fail_outside(routine, fmt::format("process {} appears twice in the grid", *twice));
  const auto mine = std::find(members.begin(), members.end(), tutti_rank(processes()));
  if (mine == members.end()) return nullptr;
  const int my_rank = static_cast<int>(mine - members.begin());
  auto grid = std::make_unique<Grid>();
  grid->rows = shape.rows;
  grid->columns = shape.columns;
  grid->my_row = my_rank / shape.columns;
  grid->my_column = my_rank % shape.columns;
  fill_scopes(routine, *grid, std::move(members));
  return grid;
}

void tell_grid(const Grid* grid, int* rows, int* columns, int* my_row, int* my_column) {
  *rows = grid != nullptr ? grid->rows : -1;
  *columns = grid != nullptr ? grid->columns : -1;
  *my_row = grid != nullptr ? grid->my_row : -1;
  *my_column = grid != nullptr ? grid->my_column : -1;
}

void free_groups(const RoutineCall& call, Grid& grid) {
  const auto owned = [&](const Scope& scope) { return scope.group.id != grid.all.group.id; };
  for (Scope* scope : {&grid.row, &grid.column}) {
    if (owned(*scope)) check(call, tutti_group_free(scope->group));
  }
  for (const auto& [name, scope] : grid.lists) check(call, tutti_group_free(scope.group));
  check(call, tutti_group_free(grid.all.group));
}

}  // namespace tutti::blacs
